import ClientKit
import Foundation
import Pictures
import Syntax

/// Lines of a job as text that reads back as what they were made from.
package enum JobLineText {
  /// A line that names a source.
  ///
  /// - Parameters:
  ///   - url: as the app holds it.
  ///   - chains: their names, or their texts.
  package static func line(url: String, chains: [String], options: RequestOptions) -> String {
    ([word(url)] + chains + words(options)).joined(separator: " ")
  }

  private static func word(_ text: String) -> String {
    text.isEmpty || text.utf8.contains { "\" \t".utf8.contains($0) } ? QuotedText.quoted(text) : text
  }

  private static func words(_ options: RequestOptions) -> [String] {
    var words: [String] = []
    func add(_ name: LineOptionName, _ value: String?) {
      if let value { words.append("\(name.rawValue)=\(value)") }
    }
    add(.id, options.imageID.map(QuotedText.quoted))
    if options.priority != .normal {
      add(.priority, LineTail.priorities.first { $0.value == options.priority }?.word)
    }
    if options.reload { words.append(LineOptionName.reload.rawValue) }
    if options.offline { words.append(LineOptionName.offline.rawValue) }
    if options.noDiskRead { words.append(LineOptionName.noDiskRead.rawValue) }
    if options.noDiskWrite { words.append(LineOptionName.noDiskWrite.rawValue) }
    add(.sha256, options.sha256)
    add(.expires, options.expiry.map(text))
    add(.encode, options.encoding.map(EncodingText.text))
    add(.embedded, options.embedded?.rawValue)
    return words
  }

  private static func text(_ expiry: EntryExpiry) -> String {
    switch expiry {
    case .never: "never"
    case .after(let seconds): "\(seconds)s"
    case .date(let date): date.formatted(.iso8601)
    }
  }
}
