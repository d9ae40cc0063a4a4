@testable import JobRunner

/// A job's text read to the end.
struct JobFileReading {
  /// Settings that most jobs of these tests have; three lines.
  static let head = "client nuke 12\ncache out\nchain card = resize(width: 320)\n"

  var settings: JobSettings?
  var chains = ChainTable()
  var entries: [JobEntry] = []
  var diagnostics = Diagnostics()

  init(_ text: String, overrides: JobOverrides = JobOverrides(), environment: [String: String] = [:]) {
    self.init(
      .text(name: "test.job", bytes: Array(text.utf8)), overrides: overrides, environment: environment)
  }

  init(
    _ input: JobInput, overrides: JobOverrides = JobOverrides(), environment: [String: String] = [:]
  ) {
    var job = JobFile(reading: input, overrides: overrides, environment: environment)
    job.forEachEntry { entry, _ in entries.append(entry) }
    settings = job.settings
    chains = job.chains
    diagnostics = job.diagnostics
  }

  var errors: [Diagnostic] { diagnostics.filter { $0.severity == .error } }
  var warnings: [Diagnostic] { diagnostics.filter { $0.severity == .warning } }

  func chains(of entry: JobEntry) -> [Chain] { entry.chains.map { chains[$0].chain } }

  /// The chain that `text` spells, and what was wrong with it.
  static func chain(_ text: String, client: String = "nuke 12") -> (chain: Chain?, errors: [Diagnostic]) {
    let job = JobFileReading("client \(client)\ncache out\nhttps://e.com/1.jpg \(text)")
    return (job.entries.first.flatMap { job.chains(of: $0).first }, job.errors)
  }
}
