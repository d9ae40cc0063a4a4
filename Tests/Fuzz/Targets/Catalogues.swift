@testable import Feeds

extension FuzzTarget {
  /// A catalogue: the first byte says how it is written.
  static let feed = FuzzTarget(name: "feed") { bytes in
    var rest = Feed(bytes)
    let format = FeedFormat.allCases[Int(rest.byte()) % FeedFormat.allCases.count]
    let text = Array(bytes.dropFirst())
    let isPacked = text.starts(with: [0x1F, 0x8B])
    let fields = format == .xml ? ["loc", "image:loc"] : ["url", "id"]
    let query = FeedQuery(format: format, fields: fields, rows: format == .json ? "/*" : nil)
    try outline(text, format)
    let whole = try read(text, query, pieces: 1 << 18)
    // What a text begins with is looked at once.
    guard !isPacked, !text.contains(UInt8(ascii: ";")), format != .xml else { return }
    let pieces = try read(text, query, pieces: 3)
    try hold(whole == pieces, "pieces make no difference: \(whole), \(pieces)")
  }

  /// What is found in the beginning of a text can be asked for.
  private static func outline(_ text: [UInt8], _ format: FeedFormat) throws(Broken) {
    _ = try? FeedOutline(text, isWhole: false, format)
    // Gzip and byte order marks come off before.
    guard text.first.map({ $0 < 0x80 && $0 != 0x1F }) ?? false else { return }
    guard let found = try? FeedOutline(text, isWhole: true, format), format == .csv || format == .tsv else {
      return
    }
    let names = found.fields.map(\.name)
    do throws(FeedFault) {
      try FeedReader.forEach(in: text, FeedQuery(format: format, fields: names)) { _ in }
    } catch {
      try hold(!error.message.contains("called"), "\(names): \(error)")
    }
  }

  private static func read(_ text: [UInt8], _ query: FeedQuery, pieces: Int) throws(Broken) -> [String] {
    var seen: [String] = []
    var last = 0
    var isInOrder = true
    do throws(FeedFault) {
      try FeedReader.forEach(in: text, query, pieces: pieces) { event in
        switch event {
        case .row(let row):
          isInOrder = isInOrder && row.number > last
          last = row.number
          seen.append("\(row.number): \(row.values.map { "\($0.field) \($0.column) \(row[$0])" })")
        case .fault(let fault):
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
