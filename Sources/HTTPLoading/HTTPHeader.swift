/// A header field. Its value may be a secret, so it never prints.
public struct HTTPHeader: Sendable, Hashable, CustomStringConvertible {
  public var name: String
  public var value: String

  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }

  public var description: String { "\(name): (hidden)" }
}
