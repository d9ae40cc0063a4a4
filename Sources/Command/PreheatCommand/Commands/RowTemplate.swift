import CacheTools
import ClientKit
import Planning
import Text

/// A row of a plan with places for what each row has for itself. It is made of a row that was written, so that only the
/// writer knows how rows read.
///
/// By reference: each row takes one, and it has many parts.
final class RowTemplate: Sendable {
  enum Piece: Sendable {
    case text(Range<Int>)
    case source
    case line
    /// By its place among the keys of the row.
    case key(Int)
    /// Which key's file, and which of its files.
    case name(Int, Int)
  }

  let shape: RowShape
  let text: [UInt8]
  let pieces: [Piece]
  let stores: [(key: Int, name: Int, kind: KnownSizes.Kind)]
  let found: PlannedRendition.Found
  /// File names of each key; nil where the row shows none and stores none.
  let names: [Int?]
  /// Each suffix as people may see it; nil where what comes before it may decide that.
  let shown: [String?]

  /// - Parameters:
  ///   - isQuoted: whether texts stand in quotes, which are not part of the template.
  ///   - write: writes a row.
  init?(
    _ row: PlannedRendition, _ shape: RowShape, base: String, in plan: Plan, isQuoted: Bool,
    write: (PlannedRendition) -> [UInt8]
  ) {
    var keys: [(text: String, isAppended: Bool)] = []
    guard shape.keys(base: base, in: plan, into: &keys), keys.count < 100 else { return nil }
    let files = keys.map { shape.client.fileNames(forKey: $0.text) }
    func place(_ key: String) -> Int? { keys.firstIndex { $0.text.hasBytes(of: key) } }
    // No text of a job holds this number: it is another one each time.
    let mark = Int.random(in: 100_000_000_000_000_000..<1_000_000_000_000_000_000)
    func word(_ kind: Character, _ first: Int = 0, _ second: Int = 0) -> String {
      // As long as the column of names.
      "\(mark)\(kind)\(first + 100)\(second + 100)" + String(repeating: "x", count: Self.width - 25)
    }
    var example = row
    (example.line, example.source, example.redactedSource) = (mark, word("s"), word("s"))
    guard place(row.key) == 0 else { return nil }
    example.key = word("k")
    if row.fileName != nil { example.fileName = word("n") }
    var stores: [(key: Int, name: Int, kind: KnownSizes.Kind)] = []
    for (index, store) in row.stores.enumerated() {
      guard let key = place(store.key),
        let name = files[key].firstIndex(where: { $0.hasBytes(of: store.fileName) }), name < 100
      else { return nil }
      stores.append((key, name, KnownSizes.Kind(store, of: row)))
      (example.stores[index].key, example.stores[index].fileName) = (word("k", key), word("n", key, name))
    }
    for (index, lookup) in row.lookups.enumerated() {
      guard let key = place(lookup.key) else { return nil }
      example.lookups[index].key = word("k", key)
    }
    self.shape = shape
    self.stores = stores
    found = row.found
    names = keys.indices.map { key in
      key == 0 || stores.contains { $0.key == key } ? files[key].count : nil
    }
    shown = shape.suffixes.map { suffix in
      let goesOn = suffix.text.utf8.first.map("?#&;/=".utf8.contains) ?? false
      return goesOn ? nil : URLRedaction.withoutCredentials(suffix.text)
    }
    text = write(example)
    pieces = Self.pieces(of: text, mark: Array(String(mark).utf8), quotes: isQuoted ? 1 : 0)
  }

  /// The width of the column of names.
  static let width = 40

  private static func pieces(of row: [UInt8], mark: [UInt8], quotes: Int) -> [Piece] {
    var pieces: [Piece] = []
    var (start, index) = (0, 0)
    while index + mark.count <= row.count {
      guard row[index...].starts(with: mark) else {
        index += 1
        continue
      }
      let end = index + mark.count
      func number(_ at: Int) -> Int { 10 * Int(row[end + at] - 0x30) + Int(row[end + at + 1] - 0x30) }
      let piece: Piece? =
        switch row[end] {
        case UInt8(ascii: "s"): .source
        case UInt8(ascii: "k"): .key(number(2))
        case UInt8(ascii: "n"): .name(number(2), number(5))
        default: nil
        }
      pieces += [.text(start..<(piece == nil ? index : index - quotes)), piece ?? .line]
      start = piece == nil ? end : index + width + quotes
      index = start
    }
    return pieces + [.text(start..<row.count)]
  }
}
