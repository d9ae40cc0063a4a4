import ClientKit
import JobFile
import Syntax

/// A job's text read to the end.
package struct JobFileReading {
  /// Settings that most jobs of these tests have; three lines.
  package static let head = "client nuke 12\ncache out\nchain card = resize(width: 320)\n"

  package var settings: JobSettings?
  package var chains = ChainTable()
  package var entries: [JobLine] = []
  package var diagnostics = Diagnostics()
  package var skipped = SkippedLines()

  package init(
    _ text: String, overrides: GivenSettings = GivenSettings(), environment: [String: String] = [:],
    trust: JobTrust = JobTrust()
  ) {
    self.init(
      .text(name: "test.job", bytes: Array(text.utf8)), overrides: overrides, environment: environment,
      trust: trust)
  }

  package init(
    _ input: JobInput, overrides: GivenSettings = GivenSettings(), environment: [String: String] = [:],
    trust: JobTrust = JobTrust()
  ) {
    var given = overrides
    given.environment = environment
    given.trust = trust
    let job = JobReader(input, given)
    _ = job.read { entry, _ in entries.append(entry) }
    settings = job.head.settings
    chains = job.chains
    diagnostics = job.diagnostics
    skipped = job.skipped
  }

  package var errors: [Diagnostic] { diagnostics.filter { $0.severity == .error } }
  package var warnings: [Diagnostic] { diagnostics.filter { $0.severity == .warning } }

  package func chains(of entry: JobLine) -> [Chain] { entry.chains.map { chains[$0].chain } }

  /// The chain that `text` spells, and what was wrong with it.
  package static func chain(_ text: String, client: String = "nuke 12") -> (
    chain: Chain?, errors: [Diagnostic]
  ) {
    let job = JobFileReading("client \(client)\ncache out\nhttps://e.com/1.jpg \(text)")
    return (job.entries.first.flatMap { job.chains(of: $0).first }, job.errors)
  }
}
