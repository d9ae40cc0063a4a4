/// How far a body has come.
public struct HTTPProgress: Sendable, Hashable {
  /// Bytes of the body so far, decoded from their content coding.
  public var received: Int64
  /// What the server announced, nil where it announced nothing.
  public var total: Int64?

  public init(received: Int64, total: Int64?) {
    self.received = received
    self.total = total
  }

  /// Called on the loader's own thread, so it has to return at once.
  public typealias Handler = @Sendable (HTTPProgress) -> Void
}
