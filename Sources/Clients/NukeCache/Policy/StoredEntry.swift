/// An entry of the data cache: under which key, and what its file holds.
public struct StoredEntry: Hashable, Sendable, CustomStringConvertible {
  public var key: KeyPart
  public var content: Content

  public enum Content: String, Hashable, Sendable {
    /// The bytes as they were downloaded.
    case original
    /// What the pipeline's encoder made of the image.
    case encoded
  }

  public init(_ key: KeyPart, _ content: Content) {
    self.key = key
    self.content = content
  }

  public var description: String { "\(key):\(content.rawValue)" }
}
