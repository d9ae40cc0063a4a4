import Syntax

/// Finds the rows of a JSON text and their fields.
struct JSONRows {
  /// What is left of the ways that a value is on.
  struct Node {
    /// To the rows; nil where they are elsewhere.
    var rows: ArraySlice<String>?
    /// To each field that may be in it, once it is a row or in one.
    var fields: [(number: Int, way: ArraySlice<String>)]?
    var isRow = false
    var isRoot = false

    /// Its elements are rows; an object is a row itself.
    var holdsRows: Bool { rows?.isEmpty == true && fields == nil }
  }

  private let fields: [(number: Int, way: ArraySlice<String>)]
  private let query: FeedQuery
  private let take: (Result<FeedRow, FeedFault>) -> Void
  var text: CatalogueText
  /// The text or the number that is being read.
  var scratch: [UInt8] = []
  /// Where in `scratch` the first half of a surrogate pair ends, and that half.
  var surrogate: (end: Int, value: UInt32)?
  private var row = FeedRow()
  private(set) var nextRow = 1
  /// The root is an object, and nothing says where the rows are.
  private var isRootObject = false
  private var hasRows = false
  private var hasTooMany = false

  private init(
    _ text: CatalogueText, _ query: FeedQuery, _ take: @escaping (Result<FeedRow, FeedFault>) -> Void
  ) {
    (self.text, self.query, self.take) = (text, query, take)
    fields = query.fields.enumerated().map { number, name in
      (number, name.isEmpty || name.hasPrefix("/") ? Self.way(name) : [name])
    }
  }

  /// A line end cannot stand within a value.
  var isLine: Bool { query.format == .ndjson }
  var root: Node { Node(rows: Self.way(query.rows ?? ""), isRoot: true) }

  /// JSON Pointer (RFC 6901); `*` stands for each element.
  private static func way(_ pointer: String) -> ArraySlice<String> {
    pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
      String($0).replacing("~1", with: "/").replacing("~0", with: "~")
    }[...]
  }

  // MARK: Texts

  /// - Parameter take: gets the rows, and in NDJSON what is wrong with lines.
  static func read(
    _ text: CatalogueText, _ query: FeedQuery, _ take: (Result<FeedRow, FeedFault>) -> Void
  ) throws(FeedFault) {
    try withoutActuallyEscaping(take) { (take) throws(FeedFault) in
      var rows = JSONRows(text, query, take)
      if rows.isLine { return try rows.readLines() }
      do throws(FeedFault) { try rows.document() } catch { throw rows.numbered(error) }
      try rows.finish()
    }
  }

  private mutating func readLines() throws(FeedFault) {
    while let byte = try significant() {
      if byte != 10 {
        nextRow = text.place.line
        do throws(FeedFault) {
          try value(root)
          if let byte = try significant(), byte != 10 { throw fault("text follows the value") }
        } catch {
          guard error.line > 0 else { throw error }
          take(.failure(error))
          try text.skipLine()
        }
      }
      if try text.peek() != nil { text.skip() }
    }
    try finish()
  }

  /// The rows of JSON are counted: a file may be one line.
  private func numbered(_ fault: FeedFault) -> FeedFault {
    guard fault.line > 0 else { return fault }
    return FeedFault(
      at: TextPlace(line: nextRow), "\(fault.message), at line \(fault.line), column \(fault.column)",
      help: fault.help)
  }

  private func finish() throws(FeedFault) {
    if isRootObject {
      throw FeedFault(
        "it is one JSON object; name its array with rows=/path", help: "rows=/products names an array")
    }
    if let rows = query.rows, !hasRows, !Self.way(rows).isEmpty {
      throw FeedFault(
        "there is no array at \(Mistake.quote(rows))",
        help: "rows= is a JSON Pointer, with * for each element")
    }
  }

  // MARK: Values

  /// - Parameter name: of a member of an object.
  mutating func child(of node: Node, name: [UInt8]?, index: Int) -> Node {
    if node.holdsRows { return newRow(Node()) }
    func isNamed(_ step: String?) -> Bool {
      step == "*" || step.map { $0.utf8.elementsEqual(name ?? Array("\(index)".utf8)) } ?? false
    }
    var child = Node()
    if let fields = node.fields {
      child.fields = fields.filter { isNamed($0.way.first) }.map { ($0.number, $0.way.dropFirst()) }
    } else if let rows = node.rows, isNamed(rows.first) {
      child.rows = rows.dropFirst()
    }
    return child
  }

  private mutating func newRow(_ node: Node) -> Node {
    row.clear()
    row.line = nextRow
    (hasRows, hasTooMany) = (true, false)
    var node = node
    (node.isRow, node.fields) = (true, fields)
    return node
  }

  mutating func begin(_ node: inout Node, isArray: Bool) {
    guard node.holdsRows else { return }
    hasRows = true
    if node.isRoot, !isArray, query.rows == nil, query.format == .json {
      isRootObject = true
      node.rows = nil
    } else if !isArray {
      node = newRow(node)
    }
  }

  mutating func end(_ node: Node) {
    if node.isRow { endRow() }
  }

  private mutating func endRow() {
    take(hasTooMany ? .failure(FeedRow.tooLarge(nextRow)) : .success(row))
    if query.format == .json { nextRow += 1 }
  }

  mutating func scalar(_ text: [UInt8]?, _ node: Node) {
    let node = node.holdsRows && node.isRoot ? newRow(node) : node
    if let text {
      for field in node.fields ?? [] where field.way.isEmpty {
        hasTooMany =
          hasTooMany || row.values.count >= FeedLimits.values || text.count > FeedLimits.field
          || !row.add(text, to: field.number, at: TextPlace(line: nextRow))
      }
    }
    if node.isRow { endRow() }
  }
}
