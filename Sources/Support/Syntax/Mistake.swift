import Text

/// Something wrong at a place in a line; the line adds its file and number (``TextLine``).
package struct Mistake: Error, Hashable {
  /// Index into the line's bytes.
  package var offset: Int
  package var message: String
  package var help: String?
  /// Whether an app will find little or nothing of the cache.
  package var isVital = false

  package init(_ offset: Int, _ message: String, help: String? = nil, isVital: Bool = false) {
    self.isVital = isVital
    self.offset = offset
    self.message = message
    self.help = help
  }

  /// Text of the job inside a message: short, without secrets, safe to print.
  package static func quote(_ text: some Collection<UInt8>) -> String { "'\(shown(text))'" }

  package static func quote(_ text: String) -> String { quote(text.utf8) }

  package static func shown(_ text: String) -> String { shown(text.utf8) }

  private static func shown(_ text: some Collection<UInt8>) -> String {
    let shown = String(decoding: SecretMask.masked(Array(text.prefix(4096))[...]), as: UTF8.self)
    let short = shown.count > 60 ? shown.prefix(57) + "…" : shown[...]
    return SafeText.escape(String(short))
  }

  /// `did you mean 'x'?`, or what else could be said.
  package static func suggestion(_ word: String?, otherwise help: String? = nil) -> String? {
    word.map { "did you mean \(quote($0))?" } ?? help
  }
}
