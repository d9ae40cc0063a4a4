/// How a catalogue is written.
package enum FeedFormat: String, Sendable, Hashable, CaseIterable {
  case csv, tsv, json, ndjson, xml

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

  /// The format that a line of a plain list looks like; nil for none.
  package init?(lookOf line: ArraySlice<UInt8>) {
    guard let first = line.first(where: { $0 != 0x20 && $0 != 9 }) else { return nil }
    switch first {
    case UInt8(ascii: "{"): self = .ndjson
    case UInt8(ascii: "["): self = .json
    case UInt8(ascii: "<"): self = .xml
    default:
      if line.dropLast().contains(9) {
        self = .tsv
      } else if line.contains(UInt8(ascii: ",")) {
        self = .csv
      } else {
        return nil
      }
    }
  }

  /// The field that is the source where nobody names one.
  package var sourceField: String? { self == .xml ? "image:loc" : nil }

  /// How people call it.
  package var title: String {
    self == .xml ? "a sitemap" : self == .ndjson ? "NDJSON" : rawValue.uppercased()
  }
}

/// What is read of a catalogue.
package struct FeedQuery: Sendable, Hashable {
  package var format: FeedFormat
  /// Column names, element names or JSON Pointers, each once; ``FeedRow`` counts them from 0.
  package var fields: [String]
  /// The JSON Pointer of the rows, where somebody gave one.
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
enum FeedLimits {
  /// Of the text, unpacked.
  static let bytes = 8 << 30
  static let rows = 50_000_000
  /// Of one field.
  static let field = 1 << 20
  static let columns = 4096
  /// Arrays and objects, or elements, within one another.
  static let depth = 128
  /// Of all fields of a row together, or the pictures of a page in a sitemap.
  static let values = 1000
}

/// Something wrong with a catalogue or with one of its rows.
package struct FeedFault: Error, Hashable, Sendable {
  /// From 1, a header counts; 0 for the catalogue as a whole.
  package var row: Int
  /// From 1: a column of CSV and TSV; 1 elsewhere.
  package var column: Int
  package var message: String
  package var help: String?

  package init(row: Int = 0, column: Int = 1, _ message: String, help: String? = nil) {
    self.row = row
    self.column = column
    self.message = message
    self.help = help
  }
}

/// The fields of a row that were asked for; what is empty is not there.
package struct FeedRow: Sendable {
  package struct Value: Sendable {
    /// Its number in ``FeedQuery/fields``.
    package var field: Int
    package var column: Int
    fileprivate(set) var range: Range<Int>
  }

  package internal(set) var number = 0
  package private(set) var values: [Value] = []
  var bytes: [UInt8] = []

  package subscript(value: Value) -> ArraySlice<UInt8> { bytes[value.range] }

  /// All values of a field in the order of the text.
  package func texts(of field: Int) -> [ArraySlice<UInt8>] {
    values.filter { $0.field == field }.map { bytes[$0.range] }
  }

  mutating func clear() {
    values.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Ends a value whose bytes were appended from a place on.
  mutating func end(_ field: Int, from start: Int, column: Int = 1) {
    if bytes.count > start {
      values.append(Value(field: field, column: column, range: start..<bytes.count))
    }
  }

  mutating func add(_ text: [UInt8], to field: Int) {
    let start = bytes.count
    bytes += text
    end(field, from: start)
  }
}

/// What a reader comes upon.
package enum FeedEvent: Sendable {
  case row(FeedRow)
  /// A row that cannot be read; others follow.
  case fault(FeedFault)
}

/// Reads a catalogue piece by piece.
protocol FeedParser {
  mutating func read(
    _ bytes: UnsafeBufferPointer<UInt8>, _ take: (FeedEvent) -> Void
  ) throws(FeedFault)

  /// The text is over.
  mutating func finish(_ take: (FeedEvent) -> Void) throws(FeedFault)
}
