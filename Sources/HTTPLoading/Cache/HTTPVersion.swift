/// A picture as it was once seen at a URL.
public struct HTTPVersion: Sendable, Hashable {
  /// SHA-256 of the body in hexadecimal.
  public var digest: String
  /// It is still right by what the server said about its age, without asking.
  public var isFresh: Bool

  public init(digest: String, isFresh: Bool) {
    self.digest = digest
    self.isFresh = isFresh
  }
}
