/// The rows of a ledger in one piece of memory, found by the names of their files.
///
/// As values with fifteen texts each they would take five times as much. What many rows have in common stands once, and
/// digests as bytes.
package struct LedgerRows: Sendable {
  private var bytes: [UInt8] = []
  /// Where each row begins, in the order of their names' bytes.
  private var starts: [Int] = []
  private var common = CommonTexts()
  private var isInOrder = true
  /// The clients that made the entries, as the rows say it.
  package private(set) var clients: Set<String> = []

  package init() {}

  package var count: Int { starts.count }
  package var isEmpty: Bool { starts.isEmpty }

  /// In the order of their names.
  package var names: some RandomAccessCollection<String> {
    starts.lazy.map { start in
      var reader = PackedReader(bytes, at: start)
      return reader.text()
    }
  }

  /// In the order of their names.
  package var entries: some RandomAccessCollection<LedgerEntry> { starts.lazy.map(entry(at:)) }

  package subscript(file: String) -> LedgerEntry? {
    var file = file
    return file.withUTF8 { file in
      var (low, high) = (0, starts.count)
      while low < high {
        let middle = (low + high) / 2
        let isBefore = name(at: starts[middle]).lexicographicallyPrecedes(file)
        if isBefore { low = middle + 1 } else { high = middle }
      }
      guard low < starts.count, name(at: starts[low]).elementsEqual(file) else { return nil }
      return entry(at: starts[low])
    }
  }

  private func name(at start: Int) -> ArraySlice<UInt8> {
    var reader = PackedReader(bytes, at: start)
    return reader.slice()
  }

  // MARK: Packing

  mutating func append(_ entry: LedgerEntry) {
    let start = bytes.count
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
    if let last = starts.last, !name(at: last).lexicographicallyPrecedes(name(at: start)) {
      isInOrder = false
    }
    starts.append(start)
  }

  /// After the last row. Rows of a damaged table may come in any order, and twice: the first one of a name counts.
  mutating func finish() {
    common.forget()
    guard !isInOrder else { return }
    let sorted = starts.enumerated().sorted { a, b in
      let (left, right) = (name(at: a.element), name(at: b.element))
      return left.elementsEqual(right) ? a.offset < b.offset : left.lexicographicallyPrecedes(right)
    }
    starts = []
    for (_, start) in sorted {
      if let last = starts.last, name(at: last).elementsEqual(name(at: start)) { continue }
      starts.append(start)
    }
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
  private var numbers: [String: Int64] = [:]

  mutating func number(of text: String) -> Int64 {
    if let known = numbers[text] { return known }
    let number = Int64(texts.count)
    texts.append(text)
    numbers[text] = number
    return number
  }

  /// Nothing more is looked up by its text.
  mutating func forget() { numbers = [:] }

  subscript(number: Int64) -> String { texts[Int(number)] }
}

/// How a digest stands: as its 32 bytes, or as any other text.
private enum PackedKind: UInt8 {
  case bytes, text
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

  fileprivate mutating func pack(digest text: String) {
    let start = count
    append(PackedKind.bytes.rawValue)
    var high: UInt8?
    for byte in text.utf8 {
      guard let digit = Self.digit(byte) else { break }
      if let left = high { append(left << 4 | digit) }
      high = high == nil ? digit : nil
    }
    guard text.utf8.count != 64 || count != start + 33 else { return }
    removeSubrange(start...)
    append(PackedKind.text.rawValue)
    pack(text)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
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

  mutating func digest() -> String {
    let kind = bytes[place]
    place += 1
    return kind == PackedKind.text.rawValue ? text() : Self.hexadecimal(take(32))
  }

  private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> String {
    func digit(_ value: UInt8) -> UInt8 {
      value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }
    return String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
      for (place, byte) in bytes.enumerated() {
        text[2 * place] = digit(byte >> 4)
        text[2 * place + 1] = digit(byte & 15)
      }
      return 2 * bytes.count
    }
  }

  private mutating func take(_ count: Int) -> ArraySlice<UInt8> {
    defer { place += count }
    return bytes[place..<place + count]
  }
}
