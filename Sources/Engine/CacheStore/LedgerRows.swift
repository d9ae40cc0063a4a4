import Digests
import Text

/// The rows of a ledger in one piece of memory, found by the names of their files.
///
/// As values with fifteen texts each they would take five times as much. What many rows have in common stands once, and
/// digests as bytes.
package struct LedgerRows: Sendable {
  private var bytes: [UInt8] = []
  /// Where each row begins, in the order of their names' bytes.
  private var starts: [Int] = []
  private var common = CommonTexts()
  /// The clients that made the entries, as the rows say it.
  package private(set) var clients: Set<String> = []

  package init() {}

  package var count: Int { starts.count }

  /// In the order of their names.
  package var names: some RandomAccessCollection<String> {
    starts.lazy.map { String(decoding: name(at: $0), as: UTF8.self) }
  }

  /// In the order of their names.
  package var entries: some RandomAccessCollection<LedgerEntry> { starts.lazy.map(entry(at:)) }

  package subscript(file: String) -> LedgerEntry? {
    var place = count
    return entry(of: file, at: &place)
  }

  /// The same for files that are looked up in the order of their names.
  ///
  /// - Parameter place: where the row is looked for first, and then the place behind it.
  package func entry(of file: String, at place: inout Int) -> LedgerEntry? {
    var file = file
    return file.withUTF8 { file in
      func isFound() -> Bool { place < count && name(at: starts[place]).elementsEqual(file) }
      if !isFound() {
        var high = count
        place = 0
        while place < high {
          let middle = (place + high) / 2
          let isBefore = name(at: starts[middle]).lexicographicallyPrecedes(file)
          if isBefore { place = middle + 1 } else { high = middle }
        }
        guard isFound() else { return nil }
      }
      defer { place += 1 }
      return entry(at: starts[place])
    }
  }

  private func name(at start: Int) -> ArraySlice<UInt8> {
    var reader = PackedReader(bytes, at: start)
    return reader.slice()
  }

  // MARK: Packing

  mutating func append(_ entry: LedgerEntry) {
    starts.append(bytes.count)
    bytes.pack(entry.file)
    bytes.pack(digest: entry.sourceID)
    bytes.pack(common.number(of: entry.identity))
    bytes.pack(Int64(entry.drawing))
    bytes.pack(entry.size)
    bytes.pack(digest: entry.digest)
    bytes.pack(entry.modified)
    bytes.pack(digest: entry.sourceDigest)
    bytes.pack(optional: entry.etag)
    bytes.pack(optional: entry.lastModified)
    let origin = entry.origin
    bytes.pack(common.number(of: origin.client))
    bytes.pack(common.number(of: origin.job))
    bytes.pack(optional: origin.key)
    bytes.pack(origin.source)
    bytes.pack(common.number(of: origin.chain))
    bytes.pack(common.number(of: origin.content))
    bytes.pack(optional: origin.expiry)
    bytes.pack(Int64(origin.priority))
    clients.insert(origin.client)
  }

  /// After the last row. Rows come in any order.
  mutating func finish() {
    common.forget()
    let sorted = starts.map { (beginning: beginning(at: $0), start: $0) }.sorted { a, b in
      if a.beginning != b.beginning { return a.beginning < b.beginning }
      return name(at: a.start).lexicographicallyPrecedes(name(at: b.start))
    }
    starts = sorted.map(\.start)
  }

  /// The first eight bytes of a name as a number, which few names share.
  private func beginning(at start: Int) -> UInt64 {
    let name = name(at: start).prefix(8)
    return name.reduce(0) { $0 << 8 | UInt64($1) } << (64 - 8 * UInt64(name.count))
  }

  private func entry(at start: Int) -> LedgerEntry {
    var reader = PackedReader(bytes, at: start)
    return LedgerEntry(
      file: reader.text(), sourceID: reader.digest(), identity: common[reader.number()],
      drawing: Int(reader.number()), size: reader.number(), digest: reader.digest(),
      modified: reader.number(), sourceDigest: reader.digest(), etag: reader.optionalText(),
      lastModified: reader.optionalText(),
      origin: EntryOrigin(
        client: common[reader.number()], job: common[reader.number()], key: reader.optionalText(),
        source: reader.text(), chain: common[reader.number()], content: common[reader.number()],
        expiry: reader.optionalText(), priority: Int(reader.number())))
  }
}

/// Texts that many rows have in common.
private struct CommonTexts: Sendable {
  private var texts: [String] = []
  private var numbers: [ByteText: Int64] = [:]

  mutating func number(of text: String) -> Int64 {
    let key = ByteText(text)
    if let known = numbers[key] { return known }
    let number = Int64(texts.count)
    texts.append(text)
    numbers[key] = number
    return number
  }

  /// Nothing more is looked up by its text.
  mutating func forget() { numbers = [:] }

  subscript(number: Int64) -> String { texts[Int(number)] }
}

extension [UInt8] {
  /// Seven bits a byte, the sign in the lowest.
  fileprivate mutating func pack(_ number: Int64) {
    var rest = UInt64(bitPattern: number << 1 ^ number >> 63)
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  fileprivate mutating func pack(_ text: String) {
    pack(Int64(text.utf8.count))
    append(contentsOf: text.utf8)
  }

  /// Nil has the length -1.
  fileprivate mutating func pack(optional text: String?) {
    if let text { pack(text) } else { pack(-1) }
  }

  /// As its 32 bytes, with the length -1, or as any other text.
  fileprivate mutating func pack(digest text: String) {
    guard text.isHexadecimal(length: 64) else { return pack(text) }
    pack(-1)
    // Letters have bit 6, and count from 1.
    func digit(_ byte: UInt8) -> UInt8 { byte & 15 &+ 9 &* (byte >> 6) }
    let text = Array(text.utf8)
    for place in stride(from: 0, to: 64, by: 2) { append(digit(text[place]) << 4 | digit(text[place + 1])) }
  }
}

/// Reads what was packed, one value after the other.
private struct PackedReader {
  private let bytes: [UInt8]
  private var place: Int

  init(_ bytes: [UInt8], at place: Int) { (self.bytes, self.place) = (bytes, place) }

  mutating func number() -> Int64 {
    var (value, shift): (UInt64, UInt64) = (0, 0)
    while true {
      let byte = bytes[place]
      place += 1
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { break }
      shift += 7
    }
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  mutating func slice() -> ArraySlice<UInt8> { take(Int(number())) }

  mutating func text() -> String { String(decoding: slice(), as: UTF8.self) }

  mutating func optionalText() -> String? {
    let count = number()
    return count < 0 ? nil : String(decoding: take(Int(count)), as: UTF8.self)
  }

  mutating func digest() -> String { optionalText() ?? hexadecimal(Array(take(32))) }

  private mutating func take(_ count: Int) -> ArraySlice<UInt8> {
    defer { place += count }
    return bytes[place..<place + count]
  }
}
