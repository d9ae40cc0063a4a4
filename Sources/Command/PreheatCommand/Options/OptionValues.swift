import ClientKit
import JobFile
import Syntax
import Text

/// The options and words of one command, checked against its row of the table.
///
/// Options win over the environment (`PREHEAT_*`); an empty variable counts as absent. Settings of jobs are
/// resolved by ``ResolvedSettings``: here for a command without a job, else with each job.
struct OptionValues: Sendable {
  let command: CommandSpec
  /// Every command and setting.
  let table: OptionTable
  /// The arguments that are known by their place, without the command word.
  let words: [String]
  /// Values of the options that are about the command.
  private(set) var settings = SettingValues()
  /// Texts of options as typed, by the name of the setting.
  private(set) var typed: [String: [String]] = [:]
  let environment: [String: String]
  /// The client that flags or variables name, for a command without a job.
  private(set) var client: CacheClient?
  /// Mistakes in settings of jobs, for a command without a job.
  private(set) var findings = Diagnostics()

  init(
    _ low: LowArguments, command: CommandSpec, environment: [String: String] = [:],
    table: OptionTable = .preheat
  ) throws(UsageError) {
    self.command = command
    self.table = table
    self.environment = environment
    // Only paths begin so.
    words = low.words.dropFirst().map(PathText.expanded)
    for occurrence in low.occurrences where command.option(named: occurrence.name) == nil {
      throw Self.foreign(occurrence, command, table)
    }
    for option in command.options {
      let occurrences = low.occurrences(of: option.flag)
      if occurrences.isEmpty {
        try takeVariable(option)
      } else {
        try take(option, occurrences)
      }
    }
    try checkWords()
    if !command.takesJobs { resolve() }
  }

  /// The settings of jobs that the command has without a job.
  private mutating func resolve() {
    let rows = jobs.rows.filter { command.option(named: $0.flag) != nil && isOfJobs($0) }
    let resolved = ResolvedSettings(GivenSettings(typed, environment: environment, table: SettingTable(rows)))
    for row in rows { settings.take(row.name, from: resolved.values) }
    client = resolved.client
    findings = resolved.diagnostics
  }

  /// The settings of jobs, for commands that read one.
  var jobs: SettingTable { table.jobs }

  /// The value of a setting, or its default.
  subscript<Value>(key: SettingKey<Value>) -> Value { settings[key] }

  /// Settings of the command line and the environment, which win over the job's own.
  func given() throws(UsageError) -> GivenSettings {
    let texts = typed.filter { jobs.row(named: $0.key)?.places.contains(.job) == true }
    var given = GivenSettings(texts, environment: environment, table: jobs, trust: try JobTrust(self))
    given.readsVariables = command.work.contains(.fetching)
    if self[CommandKey.json] { given.errorsKept = .max }
    return given
  }

  /// How much is said on standard error.
  func verbosity() throws(UsageError) -> Verbosity {
    let (quiet, verbose) = (self[CommandKey.quiet], self[CommandKey.verbose])
    guard quiet, verbose else { return quiet ? .quiet : verbose ? .verbose : .normal }
    // A variable set for all runs must not stand in the way of what is typed for this one.
    guard (typed["quiet"] == nil) != (typed["verbose"] == nil) else {
      throw UsageError(.conflict, "--quiet and --verbose exclude each other")
    }
    return typed["verbose"] == nil ? .quiet : .verbose
  }

  private func isOfJobs(_ option: Setting) -> Bool {
    jobs.row(named: option.name)?.places.isSuperset(of: [.job, .flag]) == true
  }

  private mutating func take(_ option: Setting, _ occurrences: [LowArguments.Occurrence]) throws(UsageError) {
    let texts = occurrences.map(\.value)
    typed[option.name] = option.repetition == .single ? texts.suffix(1) : texts
    if isOfJobs(option) { return }
    for occurrence in occurrences { try read(option, occurrence.value, as: occurrence.spelling) }
  }

  private mutating func takeVariable(_ option: Setting) throws(UsageError) {
    guard let variable = option.environment, let text = environment[variable], !text.isEmpty,
      !isOfJobs(option)
    else { return }
    for part in option.parts(ofVariable: text) { try read(option, part, as: variable) }
  }

  private mutating func read(_ option: Setting, _ text: String, as spelling: String) throws(UsageError) {
    do throws(Mistake) {
      try option.value(of: Array(text.utf8)[...], into: &settings)
    } catch {
      throw UsageError(.invalidValue, "\(spelling): \(error.message)", suggestion: error.help)
    }
  }

  private func checkWords() throws(UsageError) {
    let least = command.positionals.reduce(0) { $0 + $1.count.lowerBound }
    if words.count < least {
      let missing = command.positionals[min(words.count, command.positionals.count - 1)]
      throw UsageError(.missingArgument, "\(missing.name) is missing: \(command.usage)")
    }
    let unbounded = command.positionals.contains { $0.count.upperBound == .max }
    let most = unbounded ? Int.max : command.positionals.reduce(0) { $0 + $1.count.upperBound }
    if words.count > most {
      throw UsageError(.unexpectedArgument, "unexpected argument '\(words[most])': \(command.usage)")
    }
  }

  private static func foreign(
    _ occurrence: LowArguments.Occurrence, _ command: CommandSpec, _ table: OptionTable
  ) -> UsageError {
    let homes = table.commands.filter { $0.option(named: occurrence.name) != nil }.map(\.name)
      .joined(separator: ", ")
    return UsageError(
      .optionOfOtherCommand, "\(occurrence.spelling) is not an option of '\(command.name)'",
      suggestion: homes.isEmpty ? nil : "it belongs to: \(homes)")
  }
}
