import Syntax

/// Where a reader is in a JSON text, and which of it is a row's field.
struct JSONPath {
  private struct Frame {
    var isArray: Bool
    /// Of the element that comes, in an array.
    var index = 0
    /// Whether the way to here is the beginning of the way to the rows.
    var leadsToRows: Bool
    /// Each element is a row.
    var holdsRows: Bool
    /// It is a row, or the container of rows' fields: those whose way begins so, a bit each.
    var fields: UInt64
    var isRow = false
  }

  /// Of each field, the names on its way from the row.
  private let ways: [[String]]
  private let names: [String]
  private let wayToRows: [String]
  private let isWayGiven: Bool

  private var frames: [Frame] = []
  private var key: [UInt8] = []
  private var row = FeedRow()
  private var rowDepth: Int?
  private(set) var nextRow = 1
  /// Of the value that comes.
  private var fieldsOfValue: UInt64 = 0
  private var isRowValue = false
  private var valueStart = 0
  private var scratch: [UInt8] = []
  private var isWanted = false
  private var length = 0
  private var arrays: [String] = []
  private var isRootObject = false
  private var hasRows = false

  init(_ query: FeedQuery) {
    names = query.fields
    ways = query.fields.map { $0.isEmpty || $0.hasPrefix("/") ? Self.way($0) : [$0] }
    wayToRows = Self.way(query.rows ?? "")
    isWayGiven = query.rows != nil || query.format == .ndjson
  }

  /// JSON Pointer (RFC 6901); `*` stands for each element.
  static func way(_ pointer: String) -> [String] {
    pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
      String($0).replacing("~1", with: "/").replacing("~0", with: "~")
    }
  }

  var isAtRoot: Bool { frames.isEmpty }
  var isInArray: Bool { frames.last?.isArray ?? false }
  /// What stands last in the value's text is `null`.
  var endsWithNull: Bool { scratch == Array("null".utf8) }

  mutating func restart() {
    frames.removeAll()
    rowDepth = nil
    fieldsOfValue = 0
    row.clear()
    nextRow += 1
    (scratch, isWanted, isRowValue) = ([], false, false)
  }

  // MARK: Names

  mutating func beginKey() {
    key.removeAll(keepingCapacity: true)
    length = 0
  }

  mutating func nextElement() { frames[frames.count - 1].index += 1 }

  /// Whether the value that comes has the name.
  private func isNext(_ name: String) -> Bool {
    guard let frame = frames.last else { return false }
    if name == "*" { return true }
    if frame.isArray { return name == String(frame.index) }
    return name.utf8.elementsEqual(key)
  }

  /// What the value that comes is.
  private mutating func look() -> Frame {
    guard let last = frames.last else {
      let isTarget = wayToRows.isEmpty
      return Frame(isArray: false, leadsToRows: true, holdsRows: isTarget, fields: 0)
    }
    var frame = Frame(isArray: false, leadsToRows: false, holdsRows: false, fields: 0)
    if rowDepth != nil {
      guard last.fields != 0 else { return frame }
      let depth = frames.count - (rowDepth ?? 0)
      for (index, way) in ways.enumerated()
      where last.fields >> UInt64(index) & 1 == 1 && way.count >= depth && isNext(way[depth - 1]) {
        frame.fields |= 1 << UInt64(index)
      }
      return frame
    }
    if last.holdsRows, last.isArray {
      frame.isRow = true
      return frame
    }
    guard last.leadsToRows, frames.count <= wayToRows.count, isNext(wayToRows[frames.count - 1]) else {
      return frame
    }
    frame.leadsToRows = true
    frame.holdsRows = frames.count == wayToRows.count
    return frame
  }

  /// - Returns: whether there may be one more within the others.
  mutating func beginContainer(isArray: Bool) throws(FeedFault) -> Bool {
    guard frames.count < FeedLimits.depth else { return false }
    var frame = look()
    frame.isArray = isArray
    if frames.isEmpty, !isArray { isRootObject = true }
    if frames.count == 1, isArray, isRootObject, !isWayGiven, arrays.count < 8 {
      arrays.append("/" + String(decoding: key, as: UTF8.self))
    }
    if rowDepth == nil, frame.isRow || frame.holdsRows && !isArray {
      frame.isRow = true
      beginRow()
      rowDepth = frames.count
      frame.fields = ways.isEmpty ? 0 : UInt64.max >> UInt64(64 - ways.count)
    }
    if frame.holdsRows { hasRows = true }
    frames.append(frame)
    return true
  }

  mutating func endContainer(_ take: (FeedEvent) -> Void) {
    guard frames.popLast() != nil, let depth = rowDepth, frames.count == depth else { return }
    rowDepth = nil
    endRow(take)
  }

  private mutating func beginRow() {
    row.clear()
    row.number = nextRow
  }

  private mutating func endRow(_ take: (FeedEvent) -> Void) {
    // The root is a row only if somebody says so.
    if frames.isEmpty, isRootObject, !isWayGiven { return }
    row.number = nextRow
    take(.row(row))
    if !frames.isEmpty { nextRow += 1 }
  }

  // MARK: Values

  mutating func beginScalar() {
    let frame = look()
    length = 0
    isRowValue = rowDepth == nil && (frame.isRow || frame.holdsRows && frames.isEmpty)
    if isRowValue { beginRow() }
    fieldsOfValue = 0
    if isRowValue {
      for (index, way) in ways.enumerated() where way.isEmpty { fieldsOfValue |= 1 << UInt64(index) }
    } else if let rowDepth {
      let depth = frames.count - rowDepth
      for (index, way) in ways.enumerated() where frame.fields >> UInt64(index) & 1 == 1 && way.count == depth
      {
        fieldsOfValue |= 1 << UInt64(index)
      }
    }
    isWanted = fieldsOfValue != 0
    scratch.removeAll(keepingCapacity: true)
  }

  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>, isKey: Bool) throws(FeedFault) {
    try grow(by: bytes.count)
    if isKey { key.append(contentsOf: bytes) } else if isWanted { scratch.append(contentsOf: bytes) }
  }

  mutating func append(_ bytes: [UInt8], isKey: Bool) throws(FeedFault) {
    try grow(by: bytes.count)
    if isKey { key += bytes } else if isWanted { scratch += bytes }
  }

  private mutating func grow(by count: Int) throws(FeedFault) {
    length += count
    guard length <= FeedLimits.field else {
      throw FeedFault(row: nextRow, "a text is longer than 1 MiB")
    }
  }

  mutating func removeLast(_ count: Int, isKey: Bool) {
    if isKey { key.removeLast(count) } else if isWanted { scratch.removeLast(count) }
  }

  mutating func endScalar(isNull: Bool, _ take: (FeedEvent) -> Void) throws(FeedFault) {
    if isWanted, !isNull {
      guard row.values.count < FeedLimits.values else {
        throw FeedFault(row: nextRow, "this row has more than \(FeedLimits.values) values of the fields")
      }
      for index in ways.indices where fieldsOfValue >> UInt64(index) & 1 == 1 { row.add(scratch, to: index) }
    }
    isWanted = false
    guard isRowValue else { return }
    isRowValue = false
    hasRows = true
    take(.row(row))
    if !frames.isEmpty { nextRow += 1 }
  }

  /// The text is over.
  func finish() throws(FeedFault) {
    if isRootObject, !isWayGiven {
      let found =
        arrays.isEmpty ? "" : "; its arrays are \(arrays.map(Mistake.quote).joined(separator: ", "))"
      throw FeedFault(
        "it is one JSON object, and nobody says where the rows are",
        help: "rows=/products names an array\(found)")
    }
    if isWayGiven, !hasRows, !wayToRows.isEmpty {
      throw FeedFault(
        "there is no array at \(Mistake.quote("/" + wayToRows.joined(separator: "/")))",
        help: "rows= is a JSON Pointer, with * for each element")
    }
  }
}
