/// How a catalogue is written.
package enum FeedFormat: String, Sendable, Hashable, CaseIterable {
  case csv, tsv, json, ndjson

  /// By the end of a path or of a URL's path, `.gz` left aside; nil for any other.
  package init?(path: String) {
    var name = path.lowercased()
    if Self.isWeb(name) { name = String(name.prefix { $0 != "?" && $0 != "#" }) }
    if name.hasSuffix(".gz") { name.removeLast(3) }
    guard let dot = name.lastIndex(of: "."), !name[dot...].contains("/") else { return nil }
    let ending = String(name[name.index(after: dot)...])
    self.init(rawValue: ending == "jsonl" ? "ndjson" : ending)
  }

  /// Whether a catalogue lies on a server.
  package static func isWeb(_ path: String) -> Bool {
    let name = path.prefix(8).lowercased()
    return name.hasPrefix("https://") || name.hasPrefix("http://")
  }

  /// How people call it.
  package var title: String { self == .ndjson ? "NDJSON" : rawValue.uppercased() }
}

/// What is read of a catalogue.
package struct FeedQuery: Sendable, Hashable {
  package var format: FeedFormat
  /// Column names or JSON Pointers, each once; ``FeedRow`` counts them from 0.
  package var fields: [String]
  /// The JSON Pointer of the rows, where one is given.
  package var rows: String?

  /// The most fields that one query can ask for.
  package static let mostFields = 64

  package init(format: FeedFormat, fields: [String], rows: String? = nil) {
    self.format = format
    self.fields = fields
    self.rows = rows
  }
}

/// What a catalogue may cost at most.
package enum FeedLimits {
  /// Of the text, unpacked.
  static let bytes = 8 << 30
  static let rows = 50_000_000
  /// Of one field.
  static let field = 1 << 20
  static let columns = 4096
  /// Arrays and objects within one another.
  static let depth = 128
  /// Of all fields of a row together.
  package static let values = 1000
  /// Of the texts of these fields, in bytes.
  static let row = 4 << 20
}

/// Something wrong with a catalogue or with one of its rows.
package struct FeedFault: Error, Hashable, Sendable {
  /// From 1; 0 for the catalogue as a whole. In JSON it is the number of the row, as a file may be one line.
  package var line: Int
  /// From 1; 1 in JSON.
  package var column: Int
  package var message: String
  package var help: String?

  package init(at place: TextPlace? = nil, _ message: String, help: String? = nil) {
    (line, column) = (place?.line ?? 0, place?.column ?? 1)
    self.message = message
    self.help = help
  }
}

/// The fields of a row that were asked for; what is empty is not there.
package struct FeedRow: Sendable {
  package struct Value: Sendable {
    /// Its number in ``FeedQuery/fields``.
    package var field: Int
    package var place: TextPlace
    fileprivate var range: Range<Int>
  }

  /// Where it begins, from 1; in JSON the number of the row.
  package internal(set) var line = 0
  package private(set) var values: [Value] = []
  private var bytes: [UInt8] = []

  package subscript(value: Value) -> ArraySlice<UInt8> { bytes[value.range] }

  mutating func clear() {
    values.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  /// - Returns: false where the row has no room for it.
  mutating func add(_ text: [UInt8], to field: Int, at place: TextPlace) -> Bool {
    guard !text.isEmpty else { return true }
    guard bytes.count + text.count <= FeedLimits.row else { return false }
    values.append(Value(field: field, place: place, range: bytes.count..<bytes.count + text.count))
    bytes += text
    return true
  }

  static func tooLarge(_ line: Int) -> FeedFault {
    FeedFault(
      at: TextPlace(line: line),
      "this row has over \(FeedLimits.values) values of the fields, one over 1 MiB, or over 4 MiB in all")
  }

  /// Looks whether the texts that a row is made into are no more than a row itself may be.
  ///
  /// - Parameter size: of each, in bytes.
  package func check(_ count: Int, texts size: Int) throws(FeedFault) {
    let (sum, isBeyond) = count.multipliedReportingOverflow(by: size)
    guard !isBeyond, sum <= FeedLimits.row, count <= FeedLimits.values else { throw Self.tooLarge(line) }
  }
}

/// Reads a catalogue from its beginning to its end, one row after the other.
package enum FeedReader {
  /// Calls `take` with each row that follows the header, and with what is wrong with rows.
  ///
  /// - Throws: what is wrong with the catalogue as a whole.
  package static func forEach(
    in text: CatalogueText, _ query: FeedQuery, _ take: (Result<FeedRow, FeedFault>) -> Void
  ) throws(FeedFault) {
    switch query.format {
    case .json, .ndjson: try JSONRows.read(text, query, take)
    case .csv, .tsv:
      var reader = try DelimitedReader(text, query.format, fields: query.fields)
      while let event = try reader.next() { take(event) }
    }
  }
}
