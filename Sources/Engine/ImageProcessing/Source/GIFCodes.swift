/// The codes of a frame's data, each for a string of indexes (GIF89a specification, appendix F).
struct GIFCodes {
  /// A string is what the code before it wrote and the index behind that: so it stands where that code wrote.
  private struct Entry {
    var at: UInt32
    var length: UInt32
  }

  /// Every index stands once before those of the frame, so that a string of one is copied as others are.
  static let lead = 256 + slack
  /// Strings are copied by pieces, the last of which goes on behind the string's end.
  static let slack = 8
  /// There are no more strings.
  private static let most = 4096
  /// Of a code there are 12 bits at most; old programs write larger sizes than their palette needs.
  private static let largestSize: UInt8 = 11

  private let bytes: UnsafeRawBufferPointer
  private var at: Int
  /// Bytes of the sub-block that are still to be read.
  private var left = 0
  /// Above the bits that are held stand those of the next bytes, or none.
  private var (held, heldBits) = (UInt64(0), 0)

  private init(_ bytes: UnsafeRawBufferPointer, at: Int) { (self.bytes, self.at) = (bytes, at) }

  /// Reads as many indexes as are wanted, or as there are.
  ///
  /// - Parameters:
  ///   - at: where the minimum code size stands.
  ///   - indexes: nil where they are only counted; else with room for ``lead``, `wanted` and ``slack``.
  static func read(
    _ wanted: Int, of bytes: UnsafeRawBufferPointer, at: Int, into indexes: UnsafeMutablePointer<UInt8>? = nil
  ) -> (count: Int, isReadable: Bool) {
    guard wanted > 0 else { return (0, true) }
    guard at < bytes.count, (1...largestSize).contains(bytes[at]) else { return (0, false) }
    if let indexes { for index in 0..<256 { indexes[index] = UInt8(index) } }
    var codes = GIFCodes(bytes, at: at + 1)
    return withUnsafeTemporaryAllocation(of: Entry.self, capacity: most) { entries in
      // fits: 255 at most. What lies beyond is in no palette.
      for index in 0..<1 << Int(bytes[at]) { entries[index] = Entry(at: UInt32(min(index, 255)), length: 1) }
      let (end, isReadable) = codes.run(to: lead + wanted, Int(bytes[at]), entries, indexes)
      return (min(end - lead, wanted), isReadable)
    }
  }

  private mutating func run(
    to end: Int, _ least: Int, _ entries: UnsafeMutableBufferPointer<Entry>,
    _ indexes: UnsafeMutablePointer<UInt8>?
  ) -> (written: Int, isReadable: Bool) {
    let clear = 1 << least
    var (size, known, written) = (least + 1, clear + 2, Self.lead)
    // The string that was written last; empty behind a clear code.
    var last = Entry(at: 0, length: 0)
    while written < end {
      guard fill(size) else { return (written, true) }
      let code = Int(truncatingIfNeeded: held) & (1 &<< size &- 1)
      (held, heldBits) = (held &>> UInt64(truncatingIfNeeded: size), heldBits &- size)
      if code == clear {
        (size, known, last.length) = (least + 1, clear + 2, 0)
        continue
      }
      if code == clear + 1 { return (written, true) }
      guard code < (last.length == 0 ? clear : known + 1) else { return (written, false) }
      if last.length > 0, known < Self.most {
        entries[known] = Entry(at: last.at, length: last.length &+ 1)
        known += 1
        if known == 1 &<< size, size < 12 { size += 1 }
      }
      let entry = entries[code]
      if let indexes { Self.copy(entry, to: indexes, written, before: end) }
      // fits: no frame of more pixels finds memory.
      last = Entry(at: UInt32(truncatingIfNeeded: written), length: entry.length)
      written += Int(entry.length)
    }
    return (written, true)
  }

  /// The string may end with the first index of its own copy.
  @inline(__always)
  private static func copy(
    _ entry: Entry, to indexes: UnsafeMutablePointer<UInt8>, _ place: Int, before end: Int
  ) {
    let (to, from) = (indexes + place, indexes + Int(entry.at))
    let count = min(Int(entry.length), end - place)
    guard to - from >= slack else {
      for index in 0..<count { to[index] = from[index] }
      return
    }
    var index = 0
    repeat {
      let piece = UnsafeRawPointer(from + index).loadUnaligned(as: UInt64.self)
      UnsafeMutableRawPointer(to + index).storeBytes(of: piece, as: UInt64.self)
      index += slack
    } while index < count
  }

  /// Holds at least as many bits.
  ///
  /// - Returns: false at the end of the data.
  @inline(__always)
  private mutating func fill(_ size: Int) -> Bool {
    if left >= 8 {
      let next = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
      held |= next &<< UInt64(truncatingIfNeeded: heldBits)
      let count = (63 &- heldBits) &>> 3
      (at, left, heldBits) = (at &+ count, left &- count, heldBits | 56)
    }
    while heldBits < size {
      if left == 0 {
        guard at < bytes.count, bytes[at] > 0 else { return false }
        (left, at) = (min(Int(bytes[at]), bytes.count - at - 1), at + 1)
        if left == 0 { return false }
      }
      held |= UInt64(bytes[at]) &<< UInt64(truncatingIfNeeded: heldBits)
      (at, left, heldBits) = (at &+ 1, left &- 1, heldBits &+ 8)
    }
    return true
  }
}
