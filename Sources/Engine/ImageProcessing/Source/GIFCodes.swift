/// The codes of a frame's data, each for a string of indexes (GIF89a specification, appendix F).
struct GIFCodes {
  /// A string is what one code before it wrote and the index behind that: so it stands where that code wrote.
  private struct Entry {
    var at: UInt32
    var length: UInt32
  }

  /// No string is longer, and there are no more of them.
  private static let longest = 4096
  /// Strings are copied by pieces, the last of which goes on behind the string's end.
  static let slack = 8

  private let bytes: UnsafeRawBufferPointer
  private var at: Int
  /// Bytes of the sub-block that are still to be read.
  private var left = 0
  private var (held, heldBits) = (UInt64(0), 0)

  private init(_ bytes: UnsafeRawBufferPointer, at: Int) { (self.bytes, self.at) = (bytes, at) }

  /// Reads as many indexes as are wanted, or as there are.
  ///
  /// - Parameters:
  ///   - at: where the minimum code size stands.
  ///   - indexes: nil where they are only counted; else with room for `wanted` and ``slack``.
  static func read(
    _ wanted: Int, of bytes: UnsafeRawBufferPointer, at: Int, into indexes: UnsafeMutablePointer<UInt8>? = nil
  ) -> (count: Int, isReadable: Bool) {
    guard wanted > 0 else { return (0, true) }
    guard at < bytes.count, (1...8).contains(bytes[at]) else { return (0, false) }
    var codes = GIFCodes(bytes, at: at + 1)
    return withUnsafeTemporaryAllocation(of: Entry.self, capacity: longest) { entries in
      // It is not empty.
      guard let entries = entries.baseAddress else { return (0, false) }
      return codes.run(wanted, Int(bytes[at]), entries, indexes)
    }
  }

  private mutating func run(
    _ wanted: Int, _ least: Int, _ entries: UnsafeMutablePointer<Entry>,
    _ indexes: UnsafeMutablePointer<UInt8>?
  ) -> (count: Int, isReadable: Bool) {
    let clear = 1 << least
    var (size, known, written) = (least + 1, clear + 2, 0)
    // What the last code wrote; nothing behind a clear code.
    var last = Entry(at: 0, length: 0)
    while written < wanted {
      guard heldBits >= size || fill(size) else { return (written, true) }
      let code = Int(held) & (1 << size - 1)
      (held, heldBits) = (held >> size, heldBits - size)
      if code == clear {
        (size, known, last.length) = (least + 1, clear + 2, 0)
        continue
      }
      if code == clear + 1 { return (written, true) }
      guard code < (last.length == 0 ? clear : known + 1) else { return (written, false) }
      if last.length > 0, known < Self.longest {
        entries[known] = Entry(at: last.at, length: last.length + 1)
        known += 1
        if known == 1 << size, size < 12 { size += 1 }
      }
      // fits: a frame has fewer than 1 << 32 pixels.
      last = Entry(at: UInt32(truncatingIfNeeded: written), length: 1)
      if code < clear {
        indexes?[written] = UInt8(truncatingIfNeeded: code)
      } else {
        last.length = entries[code].length
        if let indexes { Self.copy(entries[code], to: indexes, written, before: wanted) }
      }
      written += Int(last.length)
    }
    return (wanted, true)
  }

  /// The string may end with the first index of its own copy.
  private static func copy(
    _ entry: Entry, to indexes: UnsafeMutablePointer<UInt8>, _ place: Int, before end: Int
  ) {
    let (to, from) = (indexes + place, indexes + Int(entry.at))
    let count = min(Int(entry.length), end - place)
    guard to - from >= slack else {
      for index in 0..<count { to[index] = from[index] }
      return
    }
    for index in stride(from: 0, to: count, by: slack) {
      let piece = UnsafeRawPointer(from + index).loadUnaligned(as: UInt64.self)
      UnsafeMutableRawPointer(to + index).storeBytes(of: piece, as: UInt64.self)
    }
  }

  /// - Returns: false at the end of the data.
  private mutating func fill(_ size: Int) -> Bool {
    while heldBits < size {
      if left == 0 {
        guard at < bytes.count, bytes[at] > 0 else { return false }
        (left, at) = (Int(bytes[at]), at + 1)
      }
      guard at < bytes.count else { return false }
      let isLong = left >= 4 && at + 4 <= bytes.count
      let count = isLong ? 4 : 1
      let next =
        isLong
        ? UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self)))
        : UInt64(bytes[at])
      held |= next << heldBits
      (at, left, heldBits) = (at + count, left - count, heldBits + 8 * count)
    }
    return true
  }
}
