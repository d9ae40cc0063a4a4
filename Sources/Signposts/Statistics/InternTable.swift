/// Small numbers for texts that repeat, found without making a string each time.
struct InternTable {
  private(set) var texts: [String] = []
  private var indexes: [UInt64: Int] = [:]

  /// The number of a text.
  mutating func index(of bytes: UnsafeRawBufferPointer) -> Int {
    // FNV-1a, 64 bits.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    while let index = indexes[hash] {
      if texts[index].utf8.elementsEqual(bytes) { return index }
      hash &+= 1
    }
    indexes[hash] = texts.count
    texts.append(String(decoding: bytes, as: UTF8.self))
    return texts.count - 1
  }

  mutating func index(of text: String) -> Int {
    var text = text
    return text.withUTF8 { index(of: UnsafeRawBufferPointer($0)) }
  }
}
