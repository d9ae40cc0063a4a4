/// The codes of a frame's data, each for a string of indexes (GIF89a specification, appendix F).
struct GIFCodes {
  enum Step {
    case string(Int)
    /// The end code, or the end of the data.
    case end
    case damaged
  }

  /// A string of indexes.
  private struct Entry {
    /// The code of the string without its last index.
    var shorter: Int16 = 0
    var length: Int16 = 1
    var first: UInt8 = 0
    var last: UInt8 = 0
  }

  /// No string is longer, and there are no more of them.
  static let longest = 4096

  private let bytes: [UInt8]
  private var at: Int
  /// Bytes of the sub-block that are still to be read.
  private var left = 0
  private var (held, heldBits) = (0, 0)

  private let clear: Int
  private var (size, count): (Int, Int)
  private var last: Int?

  private var entries = [Entry](repeating: Entry(), count: longest)

  /// - Parameter at: where the minimum code size stands.
  /// - Returns: nil where that is out of range.
  init?(_ bytes: [UInt8], at: Int) {
    guard at < bytes.count, (1...8).contains(bytes[at]) else { return nil }
    (self.bytes, self.at) = (bytes, at + 1)
    clear = 1 << Int(bytes[at])
    (size, count) = (Int(bytes[at]) + 1, clear + 2)
    for index in 0..<clear { entries[index] = Entry(first: UInt8(index), last: UInt8(index)) }
  }

  mutating func next() -> Step {
    while let code = read() {
      if code == clear {
        (size, count, last) = (clear.trailingZeroBitCount + 1, clear + 2, nil)
        continue
      }
      if code == clear + 1 { return .end }
      guard code < (last == nil ? clear : count + 1) else { return .damaged }
      if let last, count < Self.longest {
        let before = entries[last]
        // The new string itself, where the code is that of one which is only now known.
        let end = code == count ? before.first : entries[code].first
        entries[count] = Entry(
          shorter: Int16(last), length: before.length + 1, first: before.first, last: end)
        count += 1
        if count == 1 << size, size < 12 { size += 1 }
      }
      last = code
      return .string(code)
    }
    return .end
  }

  func length(of code: Int) -> Int { Int(entries[code].length) }

  /// Writes a string and returns its length. There has to be room for the longest.
  func write(_ code: Int, to indexes: inout [UInt8]) -> Int {
    let count = length(of: code)
    var code = code
    for index in stride(from: count - 1, through: 0, by: -1) {
      indexes[index] = entries[code].last
      code = Int(entries[code].shorter)
    }
    return count
  }

  private mutating func read() -> Int? {
    while heldBits < size {
      if left == 0 {
        guard at < bytes.count, bytes[at] > 0 else { return nil }
        (left, at) = (Int(bytes[at]), at + 1)
      }
      guard at < bytes.count else { return nil }
      held |= Int(bytes[at]) << heldBits
      (at, left, heldBits) = (at + 1, left - 1, heldBits + 8)
    }
    defer { (held, heldBits) = (held >> size, heldBits - size) }
    return held & (1 << size - 1)
  }
}
