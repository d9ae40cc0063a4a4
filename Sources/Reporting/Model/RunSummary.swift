/// The counts of a run and how it ended.
public struct RunSummary: Sendable, Hashable, Codable {
  /// Of the record's form; grows when an older reader would misread a newer record.
  public static let version = 1

  public var v = Self.version
  /// `preheat 0.1.0`.
  public var program: String
  /// The jobs as they were named.
  public var jobs: [String]
  /// Seconds since 1970.
  public var started: Double
  public var seconds = 0.0
  public var exit: Int
  /// The exit code in words.
  public var meaning: String

  public var planned = 0
  public var made = 0
  public var current = 0
  public var notStored = 0
  public var failed = 0
  public var retryable = 0
  public var sourcesFetched = 0
  public var bytesFetched = 0
  public var filesWritten = 0
  public var bytesWritten = 0
  public var isInterrupted = false
  /// Why the run could not begin, or could not go on: a sentence.
  public var stopped: String?
  /// Renditions that are counted but not in the record.
  public var omittedRenditions = 0
  /// Findings that are counted but not in the record.
  public var omittedFindings = 0

  public init(program: String, jobs: [String], started: Double, exit: Int, meaning: String) {
    self.program = program
    self.jobs = jobs
    self.started = started
    self.exit = exit
    self.meaning = meaning
  }

  /// Renditions that nothing was done about.
  public var leftUndone: Int { max(0, planned - made - current - notStored - failed) }
}
