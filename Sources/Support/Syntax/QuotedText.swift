/// Text in double quotes as lines of a job have it; ``LineScanner/quoted()`` reads it back.
package enum QuotedText {
  package static func quoted(_ text: String) -> String { "\"" + text.map(escaped).joined() + "\"" }

  /// A character as it stands between quotes.
  package static func escaped(_ character: Character) -> String {
    character == "\"" || character == "\\" ? "\\\(character)" : String(character)
  }

  /// Whether a line can hold it: quotes go over no line end.
  package static func holds(_ text: String) -> Bool { !text.utf8.contains { $0 == 10 || $0 == 13 } }
}
