/// Something that reads bytes from outside, and what holds of whatever it makes of them.
struct FuzzTarget: Sendable {
  /// The name of its folder in `Corpus`.
  let name: String
  /// Reads any bytes; what does not hold is thrown, and what traps ends the process.
  let run: @Sendable ([UInt8]) throws -> Void

  static let all =
    [job, lockFile, chain, keys, feed] + sessions + pictures + http + files + [
      shardRecord, workerAnswer,
    ]
}

/// A promise that was not kept.
struct Broken: Error, CustomStringConvertible {
  let promise: String

  var description: String { "this does not hold: \(promise)" }
}

/// - Parameter promise: in words, and with what is there in its place.
func hold(_ isKept: Bool, _ promise: @autoclosure () -> String) throws(Broken) {
  guard isKept else { throw Broken(promise: promise()) }
}

/// Takes numbers and texts off the front of an input, for what has several parts.
struct Feed {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isEmpty: Bool { rest.isEmpty }

  /// One byte; 0 where there is none.
  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// Eight bytes, least significant first.
  mutating func number() -> Int64 {
    Int64(bitPattern: (0..<8).reduce(UInt64(0)) { $0 | UInt64(byte()) << (8 * UInt64($1)) })
  }

  /// The bytes up to a NUL.
  mutating func text() -> String {
    let part = rest.prefix { $0 != 0 }
    rest = rest.dropFirst(part.count + 1)
    return String(decoding: part, as: UTF8.self)
  }
}
