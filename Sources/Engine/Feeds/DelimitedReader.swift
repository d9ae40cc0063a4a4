import Syntax
import Text

/// CSV and TSV: RFC 4180, with any of the usual line ends, and semicolons where the header has no comma.
struct DelimitedReader {
  private static let quote = UInt8(ascii: "\"")

  private var text: CatalogueText
  private let delimiter: UInt8
  /// The names of the columns; empty until the first row is read.
  private(set) var header: [String] = []
  /// Bytes of all names.
  private var headerSize = 0
  /// For each column the field that it is; nil for none.
  private var fieldOfColumn: [Int?] = []
  private var row = FeedRow()
  private var rows = 0
  /// Of the row that is being read.
  private var columns = 0
  private var surplus: TextPlace?
  private var fault: FeedFault?
  /// The field that is being read.
  private var field: [UInt8] = []
  private var isQuoted = false

  /// Reads the header.
  ///
  /// - Parameter fields: those that are wanted; nil for all columns.
  init(_ text: CatalogueText, _ format: FeedFormat, fields: [String]?) throws(FeedFault) {
    self.text = text
    let line = try self.text.firstLine()
    // Programs of countries with a comma in their numbers write semicolons.
    let hasSemicolons = !line.contains(UInt8(ascii: ",")) && line.contains(UInt8(ascii: ";"))
    // Excel writes such a line before the others.
    let named = line.count == 5 && line.starts(with: "sep=".utf8) ? line.last : nil
    delimiter = named ?? UInt8(ascii: format == .tsv ? "\t" : hasSemicolons ? ";" : ",")
    if named != nil {
      for _ in line { self.text.skip() }
      _ = try endField()
    }
    guard try readRow() else {
      throw FeedFault("it is empty", help: "the first row has the names of the columns")
    }
    if let fault { throw fault }
    guard let fields else {
      fieldOfColumn = Array(header.indices)
      return
    }
    fieldOfColumn = header.map { _ in nil }
    let columns = Dictionary(grouping: header.indices) { header[$0] }
    for (number, field) in fields.enumerated() {
      let named = columns[field] ?? []
      let place = TextPlace(line: row.line)
      if named.count > 1 { throw FeedFault(at: place, "several columns are called \(Mistake.quote(field))") }
      guard let column = named.first else {
        let shown = header.prefix(12).map(Mistake.quote).joined(separator: ", ")
        throw FeedFault(
          at: place, "no column is called \(Mistake.quote(field))",
          help: "it has \(shown)\(header.count > 12 ? ", ..." : "")")
      }
      fieldOfColumn[column] = number
    }
  }

  /// The next row, or what is wrong with it; nil at the end.
  mutating func next() throws(FeedFault) -> Result<FeedRow, FeedFault>? {
    guard try readRow() else { return nil }
    if let fault { return .failure(fault) }
    guard columns != header.count else { return .success(row) }
    let missing = columns < header.count ? "; \(Mistake.quote(header[columns])) is missing" : ""
    return .failure(
      FeedFault(
        at: surplus ?? TextPlace(line: row.line),
        "this row has \(NumberText.count(columns, "field")), the header has \(header.count)\(missing)",
        help: "a field with a comma, a quote or a line end in it stands in double quotes"))
  }

  /// - Returns: false at the end of the text.
  private mutating func readRow() throws(FeedFault) -> Bool {
    row.clear()
    (columns, surplus, fault) = (0, nil, nil)
    let isHeader = header.isEmpty
    while columns == 0 {
      guard try text.peek() != nil else { return false }
      rows += 1
      guard rows <= FeedLimits.rows else { throw FeedFault(at: text.place, "it has too many rows") }
      row.line = text.place.line
      var isLast = false
      while !isLast {
        let place = text.place
        try readField(at: place)
        isLast = try endField()
        let isBlankLine = isLast && columns == 0 && field.isEmpty && !isQuoted
        if !isBlankLine { try endColumn(isHeader, place) }
      }
    }
    return true
  }

  private mutating func endColumn(_ isHeader: Bool, _ place: TextPlace) throws(FeedFault) {
    if isHeader {
      headerSize += field.count
      guard headerSize <= FeedLimits.field else {
        throw FeedFault(at: place, "the names of its columns are longer than 1 MiB")
      }
      let name = String(decoding: field, as: UTF8.self)
      guard name.excessiveMark == nil else {
        throw FeedFault(
          at: place, "a column's name has more than \(String.mostMarks) combining marks in a row")
      }
      header.append(name)
      guard header.count <= FeedLimits.columns else {
        throw FeedFault(at: place, "it has more than \(FeedLimits.columns) columns")
      }
    } else if columns >= header.count {
      surplus = surplus ?? place
    } else if let number = fieldOfColumn[columns] {
      if !row.add(field, to: number, at: place) { fault = fault ?? FeedRow.tooLarge(row.line) }
    }
    columns += 1
  }

  private mutating func readField(at place: TextPlace) throws(FeedFault) {
    let delimiter = delimiter
    field.removeAll(keepingCapacity: true)
    isQuoted = try text.peek() == Self.quote
    if isQuoted {
      text.skip()
      while true {
        try take(at: place) { $0 == Self.quote }
        guard try text.next() != nil else {
          return note(at: place, "a quote is not closed")
        }
        guard try text.peek() == Self.quote else { break }
        field.append(Self.quote)
        text.skip()
      }
    }
    let (start, count) = (text.place, field.count)
    try take(at: place) { $0 == delimiter || $0 == 10 || $0 == 13 }
    if isQuoted, field.count > count { note(at: start, "text follows the quote that ends a field") }
  }

  private mutating func take(at place: TextPlace, until isEnd: (UInt8) -> Bool) throws(FeedFault) {
    try text.take(into: &field, until: isEnd)
    while field.count > FeedLimits.field {
      let long = FeedFault(
        at: place, "\(name)this field is longer than 1 MiB", help: isQuoted ? "is a quote not closed?" : nil)
      if fieldOfColumn.isEmpty { throw long }
      // In a column that is not used it costs nothing.
      if columns < fieldOfColumn.count, fieldOfColumn[columns] != nil { fault = fault ?? long }
      field.removeAll(keepingCapacity: true)
      try text.take(into: &field, until: isEnd)
    }
  }

  /// - Returns: whether the row ends with the field.
  private mutating func endField() throws(FeedFault) -> Bool {
    let end = try text.next()
    if end == 13, try text.peek() == 10 { text.skip() }
    return end != delimiter
  }

  private mutating func note(at place: TextPlace, _ message: String) {
    fault =
      fault ?? FeedFault(at: place, name + message, help: "a quote within quotes is written twice")
  }

  /// Of the column that is being read, for the beginning of a message.
  private var name: String {
    header.indices.contains(columns) ? "\(Mistake.quote(header[columns])): " : ""
  }
}
