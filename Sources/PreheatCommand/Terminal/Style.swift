/// Colours for messages, or none.
public struct Style: Sendable, Hashable {
  public var hasColour: Bool

  public init(colour hasColour: Bool) {
    self.hasColour = hasColour
  }

  public func error(_ text: String) -> String { paint(text, "1;31") }
  public func warning(_ text: String) -> String { paint(text, "1;33") }
  public func success(_ text: String) -> String { paint(text, "32") }
  public func strong(_ text: String) -> String { paint(text, "1") }
  public func faint(_ text: String) -> String { paint(text, "2") }

  private func paint(_ text: String, _ code: String) -> String {
    hasColour ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }
}
