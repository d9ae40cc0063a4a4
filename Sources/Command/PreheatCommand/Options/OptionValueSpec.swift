import Text

/// What may follow an option: the name its help shows, and what is accepted.
package struct OptionValueSpec: Sendable, Hashable {
  package var name: String
  package var kind: Kind

  package enum Kind: Sendable, Hashable {
    /// Checked by whoever understands it.
    case text
    /// Text that is the path of a folder.
    case folder
    case choices([String])
    case integer(ClosedRange<Int>)
    /// A number of bytes; K, M and G stand for powers of 1024.
    case bytes(ClosedRange<Int>)
    case seconds(ClosedRange<Double>)
  }

  package static func text(_ name: String) -> Self { Self(name: name, kind: .text) }
  package static func folder(_ name: String) -> Self { Self(name: name, kind: .folder) }
  package static func integer(_ name: String, _ range: ClosedRange<Int>) -> Self {
    Self(name: name, kind: .integer(range))
  }
  package static func bytes(_ name: String, _ range: ClosedRange<Int>) -> Self {
    Self(name: name, kind: .bytes(range))
  }
  package static func seconds(_ name: String, _ range: ClosedRange<Double>) -> Self {
    Self(name: name, kind: .seconds(range))
  }
  package static func choices(_ name: String, _ words: [String]) -> Self {
    Self(name: name, kind: .choices(words))
  }

  /// The words that are accepted, where there is a list of them.
  package var choices: [String] {
    if case .choices(let words) = kind { words } else { [] }
  }

  /// What is wrong with a text, as the end of a sentence; nil when nothing is.
  package func complaint(about text: String) -> String? {
    switch kind {
    case .text, .folder:
      return text.isEmpty ? "is empty" : nil
    case .choices(let words):
      if words.contains(text) { return nil }
      let guess = nearestWord(to: text, in: words).map { "; did you mean '\($0)'?" } ?? ""
      return "is not one of \(words.joined(separator: ", "))\(guess)"
    case .integer(let range):
      guard let number = Int(text) else { return "is not a whole number" }
      return range.contains(number) ? nil : "is not within \(range.lowerBound) to \(range.upperBound)"
    case .bytes(let range):
      guard let number = ByteCountText.value(text) else {
        return "is not a number of bytes such as 500000, 64K or 100M"
      }
      return range.contains(number) ? nil : "is not within \(range.lowerBound) to \(range.upperBound) bytes"
    case .seconds(let range):
      guard let number = Double(text) else { return "is not a number of seconds" }
      return range.contains(number) ? nil : "is not within \(range.lowerBound) to \(range.upperBound) seconds"
    }
  }
}
