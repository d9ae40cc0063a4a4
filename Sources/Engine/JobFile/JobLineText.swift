import ClientKit
import Syntax

/// Lines of a job as text that reads back as what they were made from.
package enum JobLineText {
  /// A line that names a source.
  ///
  /// - Parameters:
  ///   - url: as the app holds it.
  ///   - chains: their names, or their texts.
  package static func line(url: String, chains: [String], options: RequestOptions) -> String {
    ([word(url)] + chains + LineOption.all.compactMap { $0.text(options) }).joined(separator: " ")
  }

  private static func word(_ text: String) -> String {
    text.isEmpty || text.utf8.contains { "\" \t".utf8.contains($0) } ? QuotedText.quoted(text) : text
  }
}
