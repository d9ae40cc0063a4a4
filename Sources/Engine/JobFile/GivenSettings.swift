import ContentDigests
import Settings
import Syntax

/// What a command line and its environment say of settings, and what a job may reach on this machine.
package struct GivenSettings: Sendable {
  /// Texts of flags as typed, by the name of the setting.
  package private(set) var flags: [String: [String]]
  /// `PREHEAT_*` variables, and those that `header` lines name.
  package var environment: [String: String]
  /// What a job may say.
  package var table: SettingTable
  package var trust: JobTrust
  /// The part of the job that is taken; nil for all of it.
  package var shard: Shard?

  package init(
    _ flags: [String: [String]] = [:], environment: [String: String] = [:], table: SettingTable = .jobs,
    trust: JobTrust = JobTrust()
  ) {
    self.flags = flags
    self.environment = environment
    self.table = table
    self.trust = trust
  }

  /// The text of a flag; of several the last.
  package subscript(name: String) -> String? {
    get { flags[name]?.last }
    set { flags[name] = newValue.map { [$0] } }
  }

  /// All texts of a flag that may be repeated.
  package subscript(all name: String) -> [String] {
    get { flags[name] ?? [] }
    set { flags[name] = newValue.isEmpty ? nil : newValue }
  }

  /// The texts that a flag gives a setting, or else its variable, each to be read by itself.
  func texts(_ row: Setting) -> [TextLine] {
    let typed = self[all: row.name].map { TextLine(flag: "--\(row.flag)", text: $0) }
    // Hosts that may be reached add up; everything else that is typed stands in place of the variable.
    guard typed.isEmpty || row.repetition == .words, let value = environment[row.variable], !value.isEmpty
    else { return typed }
    let parts = row.repetition == .words ? [value] : row.parts(ofVariable: value)
    return typed + parts.map { TextLine(flag: row.variable, text: $0) }
  }

  func texts(_ row: JobRows.Structure) -> [TextLine] {
    table.row(named: row.rawValue).map(texts) ?? []
  }
}
