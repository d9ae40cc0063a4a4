/// The `Content-Range` field of a part: `bytes 200-999/1000` (RFC 9110, section 14.4).
public struct ContentRange: Sendable, Hashable {
  public var first: Int
  public var last: Int
  /// Nil where the server does not know it (`*`).
  public var total: Int?

  /// Nil for text that is no such range, or one that contradicts itself.
  public init?(_ text: String?) {
    guard let text, text.lowercased().hasPrefix("bytes ") else { return nil }
    let parts = text.dropFirst(6).filter { $0 != " " }.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false).map { Self.number($0) }
    guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last else { return nil }
    (self.first, self.last) = (first, last)
    if parts[1] == "*" { return }
    guard let total = Self.number(parts[1]), last < total else { return nil }
    self.total = total
  }

  private static func number(_ text: some StringProtocol) -> Int? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
  }
}
