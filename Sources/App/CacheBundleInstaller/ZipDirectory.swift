#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The central directory of a zip (APPNOTE.TXT 6.3.10, sections 4.3.12 to 4.3.16), zip64 included.
struct ZipDirectory {
  struct Entry {
    var name: String
    var method: Int
    var flags: Int
    var size: Int
    var packedSize: Int
    /// Where its local header begins.
    var header: Int
  }

  private(set) var entries: [Entry] = []

  init(of bytes: Data) throws(BundleFailure) {
    guard let end = Self.end(of: bytes) else {
      throw BundleFailure(.archive, "the archive has no directory: it is cut, or no zip")
    }
    guard end.count <= BundleFormat.maxEntries + 3 else {
      throw BundleFailure(.archive, "the archive has more than \(BundleFormat.maxEntries) entries")
    }
    var offset = end.offset
    for _ in 0..<end.count {
      guard let (entry, next) = Self.entry(bytes, at: offset) else {
        throw BundleFailure(.archive, "the archive's directory is damaged")
      }
      entries.append(entry)
      offset = next
    }
  }

  private static func end(of bytes: Data) -> (count: Int, offset: Int)? {
    let size = 22
    guard bytes.count >= size else { return nil }
    // A comment of up to 65,535 bytes may follow.
    for at in stride(from: bytes.count - size, through: max(0, bytes.count - size - 65_535), by: -1) {
      guard bytes.little(at, 4) == 0x0605_4B50, let comment = bytes.little(at + 20, 2),
        at + size + comment == bytes.count, let count = bytes.little(at + 10, 2),
        let offset = bytes.little(at + 16, 4)
      else { continue }
      guard count == 0xFFFF || offset == 0xFFFF_FFFF else { return (count, offset) }
      guard bytes.little(at - 20, 4) == 0x0706_4B50, let far = bytes.little(at - 12, 8),
        bytes.little(far, 4) == 0x0606_4B50, let farCount = bytes.little(far + 32, 8),
        let farOffset = bytes.little(far + 48, 8)
      else { return nil }
      return (farCount, farOffset)
    }
    return nil
  }

  private static func entry(_ bytes: Data, at offset: Int) -> (Entry, next: Int)? {
    guard bytes.little(offset, 4) == 0x0201_4B50, let flags = bytes.little(offset + 8, 2),
      let method = bytes.little(offset + 10, 2), var packed = bytes.little(offset + 20, 4),
      var size = bytes.little(offset + 24, 4), let nameLength = bytes.little(offset + 28, 2),
      let extraLength = bytes.little(offset + 30, 2), let comment = bytes.little(offset + 32, 2),
      var header = bytes.little(offset + 42, 4)
    else { return nil }
    let nameStart = offset + 46
    let extraStart = nameStart + nameLength
    let next = extraStart + extraLength + comment
    guard next <= bytes.count else { return nil }
    var extra = extraStart
    while extra + 4 <= extraStart + extraLength {
      guard let kind = bytes.little(extra, 2), let length = bytes.little(extra + 2, 2) else { return nil }
      if kind == 1 {
        // Zip64: only what does not fit above is here, in this order.
        var field = extra + 4
        func wide(_ value: inout Int) -> Bool {
          guard value == 0xFFFF_FFFF else { return true }
          guard let number = bytes.little(field, 8) else { return false }
          value = number
          field += 8
          return true
        }
        guard wide(&size), wide(&packed), wide(&header) else { return nil }
      }
      extra += 4 + length
    }
    let name = String(decoding: bytes.subdata(in: nameStart..<extraStart), as: UTF8.self)
    return (
      Entry(name: name, method: method, flags: flags, size: size, packedSize: packed, header: header), next
    )
  }
}
