import Foundation
import Text

/// The first values of a catalogue, for the line that includes it.
package enum FeedSample {
  /// A field that has URLs of servers.
  package struct Field: Hashable, Sendable {
    package var name: String
    /// The JSON Pointer of its rows; nil where they are the whole text.
    package var rows: String?
  }

  /// The number of rows that are looked at.
  private static let most = 1000
  /// JSON is read as a whole, so a larger text is not looked at.
  private static let mostBytes = 4 << 20
  /// Of one text in it: Foundation takes more time than the length of a text that has nothing but combining marks.
  private static let mostBetweenQuotes = 4096

  /// Columns of a table as they come in the first rows; members of the first JSON rows that have some, by their names.
  ///
  /// - Throws: why the catalogue cannot be read.
  package static func fieldsOfURLs(in text: CatalogueText, _ format: FeedFormat) throws(FeedFault) -> [Field]
  {
    switch format {
    case .csv, .tsv: return try columns(in: text, format).map { Field(name: $0) }
    case .json, .ndjson:
      var (text, bytes, quote): (CatalogueText, [UInt8], Int) = (text, [], 0)
      while let byte = try text.peek(), format == .json || byte != 10 {
        if byte == UInt8(ascii: "\"") { quote = bytes.count }
        guard bytes.count < mostBytes, bytes.count - quote <= mostBetweenQuotes else { return [] }
        bytes.append(byte)
        text.skip()
      }
      guard let value = try? JSONSerialization.jsonObject(with: Data(bytes)) else { return [] }
      return members(of: value, at: "", isRow: format == .ndjson)
    }
  }

  private static func columns(in text: CatalogueText, _ format: FeedFormat) throws(FeedFault) -> [String] {
    var reader = try DelimitedReader(text, format, fields: nil)
    // A name that two columns have belongs to neither.
    let columns = Dictionary(grouping: reader.header.filter { !$0.isEmpty }) { $0 }
    var (found, rows): ([String], Int) = ([], 0)
    while rows < most, let event = try reader.next() {
      rows += 1
      guard case .success(let row) = event else { continue }
      found += row.values.filter { isURL(row[$0]) }.map { reader.header[$0.field] }
    }
    return found.filter { columns[$0]?.count == 1 }
  }

  /// - Parameter way: the JSON Pointer (RFC 6901) of the value, or of the rows that it is one of.
  private static func members(of value: Any, at way: String, isRow: Bool) -> [Field] {
    if let rows = value as? [Any], !isRow {
      return rows.prefix(most).lazy.map { members(of: $0, at: way, isRow: true) }.first { !$0.isEmpty } ?? []
    }
    let object = value as? [String: Any] ?? [:]
    let names = object.keys.sorted().filter { !$0.isEmpty && $0.first != "/" }
    guard !isRow else {
      let urls = names.filter { name in (object[name] as? String).map { isURL(Array($0.utf8)[...]) } ?? false
      }
      return urls.map { Field(name: $0, rows: way.isEmpty ? nil : way) }
    }
    return names.lazy.map { name in
      let step = name.replacing("~", with: "~0").replacing("/", with: "~1")
      return members(of: object[name] ?? "", at: "\(way)/\(step)", isRow: false)
    }.first { !$0.isEmpty } ?? []
  }

  private static func isURL(_ text: ArraySlice<UInt8>) -> Bool {
    FeedFormat.isWeb(String(decoding: text.prefix(8), as: UTF8.self)) && !text.contains { $0 <= 0x20 }
  }
}
