import Syntax

/// Finds the rows of a JSON text and their fields.
struct JSONRows: JSONVisitor {
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
  private let take: (FeedEvent) -> Void
  private var row = FeedRow()
  private(set) var nextRow = 1
  /// The root is an object, and nothing says where the rows are.
  private var isRootObject = false
  private var hasRows = false
  private var hasTooMany = false

  init(_ query: FeedQuery, _ take: @escaping (FeedEvent) -> Void) {
    self.query = query
    self.take = take
    fields = query.fields.enumerated().map { number, name in
      (number, name.isEmpty || name.hasPrefix("/") ? Self.way(name) : [name])
    }
  }

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
    _ text: CatalogueText, _ query: FeedQuery, _ take: (FeedEvent) -> Void
  ) throws(FeedFault) {
    try withoutActuallyEscaping(take) { (take) throws(FeedFault) in
      var rows = JSONRows(query, take)
      let isLines = query.format == .ndjson
      var walker = JSONWalker(text, isLine: isLines, mostLevels: FeedLimits.depth)
      if isLines { return try rows.readLines(&walker) }
      do throws(FeedFault) { try walker.document(rows.root, &rows) } catch { throw rows.numbered(error) }
      try rows.finish()
    }
  }

  private mutating func readLines(_ walker: inout JSONWalker) throws(FeedFault) {
    while let byte = try walker.significant() {
      if byte != 10 {
        nextRow = walker.text.place.line
        do throws(FeedFault) {
          try walker.value(root, &self)
          if let byte = try walker.significant(), byte != 10 { throw walker.fault("text follows the value") }
        } catch {
          guard error.line > 0 else { throw error }
          take(.fault(error))
          try walker.text.skipLine()
        }
      }
      if try walker.text.peek() != nil { walker.text.skip() }
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

  mutating func child(_ step: JSONStep, of node: inout Node, at place: TextPlace) -> Node {
    if node.holdsRows { return newRow(Node()) }
    var child = Node()
    if let fields = node.fields {
      child.fields = fields.filter { step.hasName($0.way.first) }.map { ($0.number, $0.way.dropFirst()) }
    } else if let rows = node.rows, step.hasName(rows.first) {
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
    take(hasTooMany ? .fault(FeedRow.tooLarge(nextRow)) : .row(row))
    if query.format == .json { nextRow += 1 }
  }

  mutating func scalar(_ text: [UInt8]?, _ node: Node) {
    let node = node.holdsRows && node.isRoot ? newRow(node) : node
    if let text {
      for field in node.fields ?? [] where field.way.isEmpty {
        hasTooMany =
          hasTooMany || row.values.count >= FeedLimits.values
          || !row.add(text, to: field.number, at: TextPlace(line: nextRow))
      }
    }
    if node.isRow { endRow() }
  }
}

extension JSONStep {
  fileprivate func hasName(_ name: String?) -> Bool {
    guard let name else { return false }
    if name == "*" { return true }
    return switch self {
    case .member(let member): name.utf8.elementsEqual(member)
    case .element(let index): name == String(index)
    }
  }
}
