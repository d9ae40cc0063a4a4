/// Colours for messages, or none.
package struct Style: Sendable, Hashable {
  package var hasColour: Bool

  package func error(_ text: String) -> String { paint(text, "1;31") }
  package func warning(_ text: String) -> String { paint(text, "1;33") }
  package func success(_ text: String) -> String { paint(text, "32") }
  package func strong(_ text: String) -> String { paint(text, "1") }
  package func faint(_ text: String) -> String { paint(text, "2") }

  private func paint(_ text: String, _ code: String) -> String {
    hasColour ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }
}
