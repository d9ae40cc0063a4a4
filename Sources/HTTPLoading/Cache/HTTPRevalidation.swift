/// What came of asking whether a body is still right.
public enum HTTPRevalidation: Sendable {
  /// It is; nothing but header fields was transferred.
  case unchanged
  /// The server could not be asked, and the cache lets what is stale stand in for it.
  case unchangedAsFarAsKnown
  /// The server sent a body: another one, or the same again because it cannot be asked with a condition.
  case answered(HTTPResponse)
}
