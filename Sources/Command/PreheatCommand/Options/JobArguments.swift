import JobFile
import Settings

/// Which jobs, and what holds over their own settings.
package struct JobArguments: Sendable {
  /// Paths as typed; `-` is standard input.
  package var jobs: [String]
  package var overrides: JobOverrides
  /// What a job may say.
  package var table: SettingTable

  /// - Throws: when standard input is named twice.
  init(_ values: OptionValues) throws(UsageError) {
    jobs = values.words
    overrides = values.overrides
    table = values.jobs
    guard jobs.count(where: { $0 == "-" }) <= 1 else {
      throw UsageError(.conflict, "standard input (-) can be read only once", command: values.command.name)
    }
  }
}
