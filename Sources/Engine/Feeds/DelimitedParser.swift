import Syntax

/// CSV and TSV: RFC 4180, with any of the usual line ends, and semicolons where the header has no comma.
struct DelimitedParser: FeedParser {
  private enum State {
    case fieldStart, plain, quoted, quoteInQuoted
  }

  private static let quote = UInt8(ascii: "\"")

  private var fields: [String]
  /// Whether all columns are fields: their names are those of the header.
  private let takesAll: Bool
  private var delimiter: UInt8
  private var isSniffed: Bool
  private var state = State.fieldStart
  private var row = FeedRow()
  /// The column of the field that is being read, from 0.
  private var column = 0
  private var valueStart = 0
  /// For each column the field that it is, -1 for none. Empty until the header is read.
  private var fieldOfColumn: [Int] = []
  private var header: [String] = []
  private var fault: FeedFault?
  private var isQuotedField = false
  private var skipsLineFeed = false
  private var length = 0

  init(_ query: FeedQuery, takesAll: Bool = false) {
    fields = query.fields
    self.takesAll = takesAll
    delimiter = UInt8(ascii: query.format == .tsv ? "\t" : ",")
    isSniffed = query.format == .tsv
    row.number = 1
  }

  private var isHeader: Bool { fieldOfColumn.isEmpty }
  /// Names of the fields, once the header is read.
  var names: [String] { isHeader ? [] : fields }
  private var isWanted: Bool {
    isHeader || column < fieldOfColumn.count && fieldOfColumn[column] >= 0
  }

  mutating func read(
    _ bytes: UnsafeBufferPointer<UInt8>, _ take: (FeedEvent) -> Void
  ) throws(FeedFault) {
    if !isSniffed { sniff(bytes) }
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      switch state {
      case .fieldStart where byte == Self.quote:
        state = .quoted
        isQuotedField = true
        skipsLineFeed = false
        index += 1
      case .fieldStart where byte == 10 && skipsLineFeed:
        skipsLineFeed = false
        index += 1
      case .fieldStart, .plain:
        skipsLineFeed = false
        var end = index
        while end < bytes.count, bytes[end] != delimiter, bytes[end] != 10, bytes[end] != 13 { end += 1 }
        try append(bytes[index..<end])
        state = .plain
        guard end < bytes.count else { return }
        try endField(by: bytes[end], take)
        index = end + 1
      case .quoted:
        var end = index
        while end < bytes.count, bytes[end] != Self.quote { end += 1 }
        try append(bytes[index..<end])
        if end < bytes.count { state = .quoteInQuoted }
        index = end + 1
      case .quoteInQuoted:
        index += 1
        if byte == Self.quote {
          try append(bytes[index - 1..<index])
          state = .quoted
        } else if byte == delimiter || byte == 10 || byte == 13 {
          try endField(by: byte, take)
        } else {
          note("text follows the quote that ends a field", help: "a quote within quotes is written twice")
          state = .plain
        }
      }
    }
  }

  mutating func finish(_ take: (FeedEvent) -> Void) throws(FeedFault) {
    if state == .quoted { note("a quote is not closed", help: "a quote within quotes is written twice") }
    let isEmpty = state == .fieldStart && column == 0
    if !isEmpty { try endField(by: 10, take) }
    if isHeader { throw FeedFault("it is empty", help: "the first row has the names of the columns") }
  }

  private mutating func append(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) throws(FeedFault) {
    length += bytes.count
    guard length <= FeedLimits.field else {
      throw FeedFault(
        row: row.number, column: column + 1, "this field is longer than 1 MiB",
        help: state == .quoted ? "is a quote not closed?" : nil)
    }
    if isWanted { row.bytes.append(contentsOf: UnsafeBufferPointer(rebasing: bytes)) }
  }

  private mutating func note(_ message: String, help: String) {
    if fault == nil { fault = FeedFault(row: row.number, column: column + 1, message, help: help) }
  }

  private mutating func endField(by byte: UInt8, _ take: (FeedEvent) -> Void) throws(FeedFault) {
    let isLast = byte != delimiter
    let isBlank = isLast && column == 0 && length == 0 && !isQuotedField
    if !isBlank {
      if isHeader {
        header.append(String(decoding: row.bytes[valueStart...], as: UTF8.self))
        guard header.count <= FeedLimits.columns else {
          throw FeedFault(row: 1, "it has more than \(FeedLimits.columns) columns")
        }
      } else if column < fieldOfColumn.count, fieldOfColumn[column] >= 0 {
        row.end(fieldOfColumn[column], from: valueStart, column: column + 1)
      }
      column += 1
    }
    state = .fieldStart
    isQuotedField = false
    length = 0
    valueStart = row.bytes.count
    guard isLast else { return }
    skipsLineFeed = byte == 13
    if !isBlank { try endRow(take) }
    row.number += 1
    row.clear()
    (column, valueStart, fault) = (0, 0, nil)
    guard row.number <= FeedLimits.rows else { throw FeedFault(row: row.number, "it has too many rows") }
  }

  private mutating func endRow(_ take: (FeedEvent) -> Void) throws(FeedFault) {
    if isHeader {
      if let fault { throw fault }
      return try endHeader()
    }
    if let fault { return take(.fault(fault)) }
    guard column == fieldOfColumn.count else {
      return take(
        .fault(
          FeedFault(
            row: row.number, column: min(column, fieldOfColumn.count) + 1,
            "this row has \(column) \(column == 1 ? "field" : "fields"), the header has \(fieldOfColumn.count)",
            help: "a field with a comma, a quote or a line end in it stands in double quotes")))
    }
    take(.row(row))
  }

  private mutating func endHeader() throws(FeedFault) {
    if takesAll {
      // A name that two columns have is none of either.
      let counts = Dictionary(header.map { ($0, 1) }, uniquingKeysWith: +)
      fields = header.filter { !$0.isEmpty && counts[$0] == 1 }
    }
    fieldOfColumn = header.map { fields.firstIndex(of: $0) ?? -1 }
    for (index, field) in fields.enumerated() {
      switch fieldOfColumn.count(where: { $0 == index }) {
      case 1: continue
      case 0:
        throw FeedFault(
          row: 1, "no column is called \(Mistake.quote(field))", help: FeedNames.help(header, for: field))
      default: throw FeedFault(row: 1, "several columns are called \(Mistake.quote(field))")
      }
    }
  }

  /// Programs of countries with a comma in their numbers write semicolons.
  private mutating func sniff(_ bytes: UnsafeBufferPointer<UInt8>) {
    isSniffed = true
    let header = bytes.prefix { $0 != 10 && $0 != 13 }
    if !header.contains(UInt8(ascii: ",")), header.contains(UInt8(ascii: ";")) {
      delimiter = UInt8(ascii: ";")
    }
  }
}
