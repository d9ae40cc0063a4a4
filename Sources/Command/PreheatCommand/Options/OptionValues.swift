import Text

/// The options and words of one command, checked against its row of the table.
///
/// What was typed holds over the environment (`PREHEAT_*`); an empty variable counts as absent.
package struct OptionValues: Sendable, Hashable {
  package let command: CommandSpec
  /// The arguments that are known by their place, without the command word.
  package let words: [String]
  private var settings: [String: Setting] = [:]

  /// Where a value comes from.
  package enum Origin: Sendable, Hashable {
    case typed
    case environment
  }

  private struct Setting: Sendable, Hashable {
    package var origin: Origin
    package var texts: [String] = []
    package var isOn = true
  }

  init(_ low: LowArguments, command: CommandSpec, environment: [String: String] = [:]) throws(UsageError) {
    self.command = command
    words = Array(low.words.dropFirst())
    for occurrence in low.occurrences where command.option(named: occurrence.name) == nil {
      throw Self.foreign(occurrence, command)
    }
    for option in command.options {
      if let setting = try Self.typed(option, low.occurrences(of: option.name), command) {
        settings[option.name] = setting
      } else {
        settings[option.name] = try Self.fromEnvironment(option, environment, command)
      }
    }
    try checkWords()
  }

  /// Whether and how an option was given; nil when it was not.
  package func origin(of name: String) -> Origin? { settings[name]?.origin }

  /// Whether a flag is on.
  package func flag(_ name: String) -> Bool { settings[name]?.isOn ?? false }

  /// The text of an option that takes a value.
  package func text(_ name: String) -> String? { settings[name]?.texts.last }

  /// The texts of a repeatable option, in order.
  package func list(_ name: String) -> [String] { settings[name]?.texts ?? [] }

  package func integer(_ name: String) -> Int? { text(name).flatMap { Int($0) } }

  package func bytes(_ name: String) -> Int? { text(name).flatMap(ByteCountText.value) }

  package func seconds(_ name: String) -> Double? { text(name).flatMap { Double($0) } }

  private static func typed(
    _ option: OptionSpec, _ occurrences: [LowArguments.Occurrence], _ command: CommandSpec
  ) throws(UsageError) -> Setting? {
    guard let last = occurrences.last else { return nil }
    for occurrence in occurrences {
      guard let text = occurrence.value, let complaint = option.value?.complaint(about: text) else {
        continue
      }
      throw UsageError(
        .invalidValue, "\(occurrence.spelling): '\(text)' \(complaint)", command: command.name)
    }
    let all = occurrences.compactMap(\.value)
    let texts = option.repetition == .lastWins ? Array(all.suffix(1)) : all
    return Setting(origin: .typed, texts: texts, isOn: !last.isNegated)
  }

  private static func fromEnvironment(
    _ option: OptionSpec, _ environment: [String: String], _ command: CommandSpec
  ) throws(UsageError) -> Setting? {
    guard let variable = option.environment, let text = environment[variable], !text.isEmpty else {
      return nil
    }
    func invalid(_ text: String, _ complaint: String) -> UsageError {
      UsageError(.invalidValue, "\(variable): '\(text)' \(complaint)", command: command.name)
    }
    guard let value = option.value else {
      switch text.lowercased() {
      case "1", "true", "yes", "on": return Setting(origin: .environment)
      case "0", "false", "no", "off": return Setting(origin: .environment, isOn: false)
      default: throw invalid(text, "is neither 1 nor 0")
      }
    }
    let texts: [String] =
      switch option.repetition {
      case .lastWins: [text]
      case .words: text.split(whereSeparator: \.isWhitespace).map(String.init)
      case .lines: text.split(whereSeparator: \.isNewline).map(String.init)
      }
    for text in texts {
      if let complaint = value.complaint(about: text) { throw invalid(text, complaint) }
    }
    return texts.isEmpty ? nil : Setting(origin: .environment, texts: texts)
  }

  private func checkWords() throws(UsageError) {
    let least = command.positionals.reduce(0) { $0 + $1.count.lowerBound }
    if words.count < least {
      let missing = command.positionals[min(words.count, command.positionals.count - 1)]
      throw UsageError(
        .missingArgument, "\(missing.name) is missing: \(command.usage)", command: command.name)
    }
    let unbounded = command.positionals.contains { $0.count.upperBound == .max }
    let most = unbounded ? Int.max : command.positionals.reduce(0) { $0 + $1.count.upperBound }
    if words.count > most {
      throw UsageError(
        .unexpectedArgument, "unexpected argument '\(words[most])': \(command.usage)", command: command.name)
    }
  }

  private static func foreign(_ occurrence: LowArguments.Occurrence, _ command: CommandSpec) -> UsageError {
    let homes = OptionTable.preheat.commands(withOption: occurrence.name).joined(separator: ", ")
    return UsageError(
      .optionOfOtherCommand, "\(occurrence.spelling) is no option of '\(command.name)'",
      suggestion: homes.isEmpty ? nil : "it belongs to: \(homes)", command: command.name)
  }
}
