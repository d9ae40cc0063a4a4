/// A query item's name, `*` standing for any run of characters: `token`, `X-Amz-*`.
public struct QueryPattern: Hashable, Sendable {
  public var text: String

  public init(_ text: String) {
    self.text = text
  }
}
