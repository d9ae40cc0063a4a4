import JobFile
import Settings
import Syntax
import Text

/// The options and words of one command, checked against its row of the table.
///
/// What was typed holds over the environment (`PREHEAT_*`); an empty variable counts as absent. Settings of jobs are left
/// to the job where the command has one: ``JobFile`` reads them, and says at which flag they are wrong.
package struct OptionValues: Sendable {
  package let command: CommandSpec
  /// Every command and setting.
  package let table: OptionTable
  /// The arguments that are known by their place, without the command word.
  package let words: [String]
  /// What the options say that are about the command.
  package private(set) var settings = SettingValues()
  private var origins: [String: Origin] = [:]
  /// Texts of options as typed, by the name of the setting.
  private var typed: [String: [String]] = [:]

  /// Where a value comes from.
  package enum Origin: Sendable, Hashable {
    case typed
    case environment
  }

  init(
    _ low: LowArguments, command: CommandSpec, environment: [String: String] = [:],
    table: OptionTable = .preheat
  ) throws(UsageError) {
    self.command = command
    self.table = table
    words = Array(low.words.dropFirst())
    for occurrence in low.occurrences where command.option(named: occurrence.name) == nil {
      throw Self.foreign(occurrence, command, table)
    }
    for option in command.options {
      let occurrences = low.occurrences(of: option.flag)
      if occurrences.isEmpty {
        try takeVariable(option, environment)
      } else {
        try take(option, occurrences)
      }
    }
    try checkWords()
  }

  /// What a job may say, for those that read one.
  package var jobs: SettingTable { table.jobs }

  /// The value of a setting, or its default.
  package subscript<Value>(key: SettingKey<Value>) -> Value { settings[key] }

  /// Whether and how an option was given; nil when it was not.
  package func origin(of name: String) -> Origin? { origins[name] }

  /// The texts that were typed for an option, in order.
  package func texts(_ name: String) -> [String] { typed[name] ?? [] }

  /// What the command line says over a job's own settings.
  package var overrides: JobOverrides {
    var overrides = JobOverrides()
    for row in jobs.jobRows { overrides[all: row.name] = texts(row.name) }
    return overrides
  }

  private func isLeftToJob(_ option: Setting) -> Bool {
    command.takesJobs && option.places.contains(.job)
  }

  private mutating func take(_ option: Setting, _ occurrences: [LowArguments.Occurrence]) throws(UsageError) {
    origins[option.name] = .typed
    guard !option.isFlag else {
      let isOn = occurrences.last?.isNegated == false
      if isLeftToJob(option) {
        typed[option.name] = [isOn ? "on" : "off"]
        return
      }
      return try read(option, isOn ? "on" : "off", as: occurrences.last?.spelling ?? "--\(option.flag)")
    }
    let all = occurrences.compactMap(\.value)
    let texts = option.repetition == .single ? Array(all.suffix(1)) : all
    typed[option.name] = texts
    if isLeftToJob(option) { return }
    for occurrence in occurrences {
      if let text = occurrence.value { try read(option, text, as: occurrence.spelling) }
    }
  }

  private mutating func takeVariable(
    _ option: Setting, _ environment: [String: String]
  ) throws(UsageError) {
    guard option.places.contains(.variable) else { return }
    let names = [option.variable] + option.aliases.map(Setting.variable)
    guard let name = names.first(where: { environment[$0].map { !$0.isEmpty } ?? false }),
      let text = environment[name]
    else { return }
    origins[option.name] = .environment
    if isLeftToJob(option) { return }
    for part in option.parts(ofVariable: text) { try read(option, part, as: name) }
  }

  private mutating func read(_ option: Setting, _ text: String, as spelling: String) throws(UsageError) {
    do throws(Mistake) {
      try option.value(of: text, into: &settings)
    } catch {
      throw UsageError(
        .invalidValue, "\(spelling): \(error.message)", suggestion: error.help, command: command.name)
    }
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

  private static func foreign(
    _ occurrence: LowArguments.Occurrence, _ command: CommandSpec, _ table: OptionTable
  ) -> UsageError {
    let homes = table.commands(withOption: occurrence.name).joined(separator: ", ")
    return UsageError(
      .optionOfOtherCommand, "\(occurrence.spelling) is not an option of '\(command.name)'",
      suggestion: homes.isEmpty ? nil : "it belongs to: \(homes)", command: command.name)
  }
}
