/// Something wrong at a place in a line; the line adds its file and number (``TextLine``).
struct Mistake: Error, Hashable {
  /// Index into the line's bytes.
  var offset: Int
  var message: String
  var help: String?

  init(_ offset: Int, _ message: String, help: String? = nil) {
    self.offset = offset
    self.message = message
    self.help = help
  }

  /// Text of the job inside a message: short, without secrets, safe to print.
  static func quote(_ text: some Collection<UInt8>) -> String { "'\(shown(text))'" }

  static func quote(_ text: String) -> String { quote(text.utf8) }

  static func shown(_ text: String) -> String { shown(text.utf8) }

  private static func shown(_ text: some Collection<UInt8>) -> String {
    let shown = String(decoding: SecretMask.masked(Array(text.prefix(4096))[...]), as: UTF8.self)
    let short = shown.count > 60 ? shown.prefix(57) + "…" : shown[...]
    return TerminalText.escaped(String(short))
  }

  /// `did you mean 'x'?`, or what else could be said.
  static func suggestion(_ word: String?, otherwise help: String? = nil) -> String? {
    guard let word else { return help }
    return "did you mean \(quote(word))?"
  }
}
