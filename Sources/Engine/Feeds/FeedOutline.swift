import Syntax

/// Which fields the first rows of a catalogue have, for whoever writes the line that includes it.
package struct FeedOutline: Sendable {
  package struct Field: Sendable {
    /// As a query names it.
    package var name: String
    /// The JSON Pointer of its rows, where a query has to say it.
    package var rows: String?
    /// Of the first rows that have one.
    package internal(set) var values: [String] = []
  }

  /// So many values of a field are looked at.
  static let samples = 100

  /// In the order of the text.
  package private(set) var fields: [Field] = []

  /// - Parameter isWhole: whether the bytes are all of the text; else the last row may be cut.
  init(_ bytes: [UInt8], isWhole: Bool, _ format: FeedFormat) throws(FeedFault) {
    switch format {
    case .csv, .tsv:
      var parser = DelimitedParser(FeedQuery(format: format, fields: []), takesAll: true)
      let rows = try Self.rows(of: &parser, bytes, isWhole: isWhole)
      fields = parser.names.map { Field(name: $0) }
      add(rows)
    case .xml:
      let names = ["image:loc", "loc", "priority"]
      fields = names.map { Field(name: $0) }
      var parser = SitemapParser(FeedQuery(format: format, fields: names))
      add(try Self.rows(of: &parser, bytes, isWhole: isWhole))
    case .json, .ndjson:
      var skim = JSONSkim()
      skim.read(bytes)
      fields = skim.values.compactMap { way, values in
        var field = Self.field(way, isLine: format == .ndjson)
        field?.values = values
        return field
      }
    }
  }

  private static func rows(
    of parser: inout some FeedParser, _ bytes: [UInt8], isWhole: Bool
  ) throws(FeedFault) -> [FeedRow] {
    var rows: [FeedRow] = []
    let take: (FeedEvent) -> Void = { event in
      if case .row(let row) = event, rows.count < samples { rows.append(row) }
    }
    try bytes.withUnsafeBufferPointer { (bytes) throws(FeedFault) in try parser.read(bytes, take) }
    if isWhole { try parser.finish(take) }
    return rows
  }

  private mutating func add(_ rows: [FeedRow]) {
    for row in rows {
      for value in row.values {
        fields[value.field].values.append(String(decoding: row[value], as: UTF8.self))
      }
    }
  }

  /// What a query calls a value on its way from the root of a JSON text; nil for one in no row.
  private static func field(_ way: [String], isLine: Bool) -> Field? {
    var (rows, way) = ([String](), way[...])
    if !isLine {
      guard let star = way.firstIndex(of: "*") else { return nil }
      rows = Array(way[..<star])
      way = way[(star + 1)...]
    }
    let isMember = way.count == 1 && way.first != "*" && way.first != ""
    let name = isMember && way.first?.hasPrefix("/") == false ? way.joined() : pointer(way)
    return Field(name: name, rows: rows.isEmpty ? nil : pointer(rows[...]))
  }

  private static func pointer(_ way: ArraySlice<String>) -> String {
    way.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
  }
}

/// The beginning of a catalogue's text, unpacked.
final class FeedBeginning: FeedParser {
  static let most = 1 << 20

  private(set) var bytes: [UInt8] = []

  func read(_ bytes: UnsafeBufferPointer<UInt8>, _ take: (FeedEvent) -> Void) { self.bytes += bytes }

  func finish(_ take: (FeedEvent) -> Void) {}
}
