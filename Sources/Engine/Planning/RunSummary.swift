/// The counts of a run; those of renditions add up to the plan.
package struct RunCounts: Sendable, Hashable, Codable {
  package var planned = 0
  package var made = 0
  package var current = 0
  package var notStored = 0
  package var failed = 0
  /// Of `failed`: job lines that were left out, each counted as one rendition.
  package var skippedLines = 0
  /// Of `failed`: those that a later run may make without any change.
  package var retryable = 0
  /// Not failed, and an app finds only an entry from earlier in the chain, or nothing.
  package var foundInPart = 0
  package var notFound = 0
  /// Sources fetched, and bytes of their bodies.
  package var sourcesFetched = 0
  package var bytesFetched = 0
  /// Sources that are unchanged, as their servers say: no body was transferred.
  package var sourcesValidated = 0
  /// Sources whose body came out of the HTTP cache.
  package var sourcesCached = 0
  package var filesWritten = 0
  package var bytesWritten = 0

  package init() {}

  /// Renditions that something was done about.
  package var settled: Int { made + current + notStored + failed }

  /// Renditions that nothing was done about.
  package var leftUndone: Int { max(0, planned - settled) }

  package mutating func count(_ outcome: RenditionOutcome) {
    count(outcome.found)
    switch outcome.status {
    case .made: made += 1
    case .current: current += 1
    case .notStored: notStored += 1
    case .failed(let failure):
      failed += 1
      if failure.isRetryable { retryable += 1 }
    }
  }

  package mutating func count(_ found: PlannedRendition.Found?) {
    switch found {
    case .part: foundInPart += 1
    case .nothing: notFound += 1
    case .exact, nil: break
    }
  }

  /// Lines of the jobs that were left out: failed before the run began.
  package mutating func count(skippedLines count: Int) {
    planned += count
    failed += count
    skippedLines += count
  }
}

/// How a run ended: its counts and what is to be known besides.
package struct RunSummary: Sendable, Hashable {
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
  package var counts = RunCounts()
  package var isInterrupted = false
  /// Why the run could not begin, or could not go on: a sentence.
  package var stopped: String?
  /// The code of `stopped`, if the cache could no longer be written: `store.full`.
  package var stoppedCode: String?
  /// What kept the decoders of all pictures from the system, in words; nil where nothing was decoded.
  package var confinement: [String]?
  /// Entries that no job named any more and that were removed; nil where nobody asked for it.
  package var prunedFiles: Int?
  package var prunedBytes: Int?
  /// The commit that a CI system built, and the page of the build.
  package var commit: String?
  package var build: String?
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
}

extension RunSummary: Codable {
  private enum CodingKeys: String, CodingKey {
    case v, program, jobs, started, seconds, exit, meaning, isInterrupted, stopped, stoppedCode, confinement
    case prunedFiles, prunedBytes, commit, build
    case omittedRenditions, omittedFindings
  }

  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      program: try members.decode(String.self, forKey: .program),
      jobs: try members.decode([String].self, forKey: .jobs),
      started: try members.decode(Double.self, forKey: .started),
      exit: try members.decode(Int.self, forKey: .exit),
      meaning: try members.decode(String.self, forKey: .meaning))
    v = try members.decode(Int.self, forKey: .v)
    seconds = try members.decode(Double.self, forKey: .seconds)
    isInterrupted = try members.decode(Bool.self, forKey: .isInterrupted)
    stopped = try members.decodeIfPresent(String.self, forKey: .stopped)
    stoppedCode = try members.decodeIfPresent(String.self, forKey: .stoppedCode)
    confinement = try members.decodeIfPresent([String].self, forKey: .confinement)
    prunedFiles = try members.decodeIfPresent(Int.self, forKey: .prunedFiles)
    prunedBytes = try members.decodeIfPresent(Int.self, forKey: .prunedBytes)
    commit = try members.decodeIfPresent(String.self, forKey: .commit)
    build = try members.decodeIfPresent(String.self, forKey: .build)
    omittedRenditions = try members.decode(Int.self, forKey: .omittedRenditions)
    omittedFindings = try members.decode(Int.self, forKey: .omittedFindings)
    counts = try RunCounts(from: decoder)
  }

  /// The counts stand beside the other members.
  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(v, forKey: .v)
    try members.encode(program, forKey: .program)
    try members.encode(jobs, forKey: .jobs)
    try members.encode(started, forKey: .started)
    try members.encode(seconds, forKey: .seconds)
    try members.encode(exit, forKey: .exit)
    try members.encode(meaning, forKey: .meaning)
    try members.encode(isInterrupted, forKey: .isInterrupted)
    try members.encodeIfPresent(stopped, forKey: .stopped)
    try members.encodeIfPresent(stoppedCode, forKey: .stoppedCode)
    try members.encodeIfPresent(confinement, forKey: .confinement)
    try members.encodeIfPresent(prunedFiles, forKey: .prunedFiles)
    try members.encodeIfPresent(prunedBytes, forKey: .prunedBytes)
    try members.encodeIfPresent(commit, forKey: .commit)
    try members.encodeIfPresent(build, forKey: .build)
    try members.encode(omittedRenditions, forKey: .omittedRenditions)
    try members.encode(omittedFindings, forKey: .omittedFindings)
    try counts.encode(to: encoder)
  }
}
