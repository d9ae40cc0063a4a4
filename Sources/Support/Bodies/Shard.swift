import Digests

/// One of several parts into which the sources of a job fall, so that as many machines can share the work.
///
/// A source is in a part by the SHA-256 of its URL without the fragment, by which the ledger names it too: its first
/// eight bytes as a big-endian number, modulo the number of parts. So it is in one part only, and in the same one
/// whatever else the job says, in whatever order.
package struct Shard: Hashable, Sendable {
  /// From 1 to ``count``.
  package let number: Int
  package let count: Int
  package static let most = 1_000_000

  /// Nil where there is no such part.
  package init?(number: Int, of count: Int) {
    guard (1...Self.most).contains(count), (1...count).contains(number) else { return nil }
    self.number = number
    self.count = count
  }

  /// `3/7`.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Self.number(parts[0]), let count = Self.number(parts[1]) else {
      return nil
    }
    self.init(number: number, of: count)
  }

  private static func number(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil
  }

  package var text: String { "\(number)/\(count)" }

  /// For names of files, in an order that a shell keeps: `03-of-12`.
  package var label: String {
    let digits = String(number)
    return String(repeating: "0", count: String(count).count - digits.count) + digits + "-of-\(count)"
  }

  /// Whether a source is in it.
  ///
  /// - Parameter sourceID: SHA-256 of its URL in hexadecimal, as the ledger has it; any other text is in no part.
  package func holds(sourceID: String) -> Bool {
    guard let first = UInt64(sourceID.prefix(16), radix: 16), sourceID.utf8.count == 64 else { return false }
    return first % UInt64(count) == UInt64(number - 1)
  }

  /// The same by the URL itself, with or without its fragment.
  ///
  /// - Parameter url: of one type: what is read through the protocols of collections takes ten times as long.
  package func holds(_ url: ArraySlice<UInt8>) -> Bool {
    let digest = url.prefix { $0 != UInt8(ascii: "#") }.withUnsafeBytes { SHA256.hash($0) }
    let first = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return first % UInt64(count) == UInt64(number - 1)
  }
}
