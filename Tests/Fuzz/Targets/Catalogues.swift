@testable import Feeds

extension FuzzTarget {
  /// A catalogue: the first byte says how it is written.
  static let feed = FuzzTarget(name: "feed") { bytes in
    var rest = Feed(bytes)
    let format = FeedFormat.allCases[Int(rest.byte()) % FeedFormat.allCases.count]
    let text = Array(bytes.dropFirst())
    let isPacked = text.starts(with: [0x1F, 0x8B])
    let query = FeedQuery(format: format, fields: ["url", "id"], rows: format == .json ? "/*" : nil)
    _ = try? FeedSample.fieldsOfURLs(in: CatalogueText(bytes: text), format)
    let whole = try read(text, query, pieces: 1 << 18)
    // What a text begins with is looked at once.
    guard !isPacked, !text.contains(UInt8(ascii: ";")) else { return }
    let pieces = try read(text, query, pieces: 3)
    try hold(whole == pieces, "pieces make no difference: \(whole), \(pieces)")
  }

  private static func read(_ text: [UInt8], _ query: FeedQuery, pieces: Int) throws(Broken) -> [String] {
    var seen: [String] = []
    var last = 0
    var isInOrder = true
    do throws(FeedFault) {
      try FeedReader.forEach(in: CatalogueText(bytes: text, pieces: pieces), query) { event in
        switch event {
        case .success(let row):
          // A line may hold an array, and each of its elements is a row.
          isInOrder = isInOrder && row.line > (query.format == .ndjson ? last - 1 : last)
          last = row.line
          seen.append("\(row.line): \(row.values.map { "\($0.field) \($0.place) \(row[$0])" })")
        case .failure(let fault):
          seen.append("\(fault)")
        }
      }
    } catch {
      seen.append("\(error)")
    }
    try hold(isInOrder, "rows are counted upwards: \(seen)")
    return seen
  }
}
