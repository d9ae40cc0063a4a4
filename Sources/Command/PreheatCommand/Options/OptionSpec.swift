/// One option of the command line: a row of ``OptionTable``.
///
/// Parsing, help, the man page, completions and the reference page all read this value, so an option
/// exists everywhere or nowhere.
package struct OptionSpec: Sendable, Hashable {
  /// The long name, without dashes.
  package var name: String
  package var short: Character?
  /// What follows the name; nil for a flag.
  package var value: OptionValueSpec?
  /// One line, short enough for `-h`.
  package var summary: String
  /// Further sentences for the places that have room.
  package var detail: String = ""
  /// What holds when neither the option nor its variable is given, in words.
  package var defaultText: String?
  /// The environment variable that stands in for the option.
  package var environment: String?
  package var repetition: OptionRepetition = .lastWins
  /// Whether `--no-NAME` exists (flags only).
  package var isNegatable = false
  /// Whether `-h` shows it.
  package var isCommon = false
  /// Accepted, but shown nowhere.
  package var isHidden = false

  /// A flag.
  package init(_ name: String, short: Character? = nil, _ summary: String) {
    self.name = name
    self.short = short
    self.summary = summary
  }

  /// An option that takes a value.
  package init(_ name: String, short: Character? = nil, _ value: OptionValueSpec, _ summary: String) {
    self.name = name
    self.short = short
    self.value = value
    self.summary = summary
  }

  /// The same row with some of its columns filled in.
  package func with(_ change: (inout OptionSpec) -> Void) -> OptionSpec {
    var copy = self
    change(&copy)
    return copy
  }

  /// `--cache DIR`, `--wait`.
  package var usage: String { value.map { "--\(name) \($0.name)" } ?? "--\(name)" }

  /// Every spelling in full: `-j N, --jobs N` or `--wait, --no-wait`.
  package var fullUsage: String {
    let first = short.map { short in value.map { "-\(short) \($0.name), " } ?? "-\(short), " } ?? ""
    return first + usage + (isNegatable ? ", --no-\(name)" : "")
  }
}

/// What a second occurrence of an option means.
package enum OptionRepetition: Sendable, Hashable {
  /// The last one holds, so that a script can put its own defaults in front of what people type.
  case lastWins
  /// All hold; the variable's text is split at white space.
  case words
  /// All hold; the variable's text is split at line ends.
  case lines
}
