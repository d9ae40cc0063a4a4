/// The first values of a table, for the line that includes it.
package enum FeedSample {
  /// The number of rows that are looked at.
  private static let most = 1000

  /// The names of columns that have URLs of servers, as they come in the first rows.
  ///
  /// - Throws: why the catalogue cannot be read.
  package static func columnsOfURLs(
    in text: CatalogueText, _ format: FeedFormat
  ) throws(FeedFault) -> [String] {
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

  private static func isURL(_ text: ArraySlice<UInt8>) -> Bool {
    FeedFormat.isWeb(String(decoding: text.prefix(8), as: UTF8.self)) && !text.contains { $0 <= 0x20 }
  }
}
