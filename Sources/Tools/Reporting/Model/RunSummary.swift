/// The counts of a run and how it ended.
package struct RunSummary: Sendable, Hashable, Codable {
  /// Of the record's form; grows when an older reader would misread a newer record.
  package static let version = 1

  package var v = Self.version
  /// `preheat 0.1.0`.
  package var program: String
  /// The jobs as they were named.
  package var jobs: [String]
  /// Seconds since 1970.
  package var started: Double
  package var seconds = 0.0
  package var exit: Int
  /// The exit code in words.
  package var meaning: String

  package var planned = 0
  package var made = 0
  package var current = 0
  package var notStored = 0
  package var failed = 0
  package var retryable = 0
  package var sourcesFetched = 0
  package var bytesFetched = 0
  package var filesWritten = 0
  package var bytesWritten = 0
  package var isInterrupted = false
  /// Why the run could not begin, or could not go on: a sentence.
  package var stopped: String?
  /// Renditions that are counted but not in the record.
  package var omittedRenditions = 0
  /// Findings that are counted but not in the record.
  package var omittedFindings = 0

  package init(program: String, jobs: [String], started: Double, exit: Int, meaning: String) {
    self.program = program
    self.jobs = jobs
    self.started = started
    self.exit = exit
    self.meaning = meaning
  }

  /// Renditions that nothing was done about.
  package var leftUndone: Int { max(0, planned - made - current - notStored - failed) }
}
