import JobFile
import Syntax
import Text

/// One rendition and how it ended, as everything that tells of a run has it: `run --json`, the record that a run
/// leaves, and all reports.
///
/// It holds no credentials. Texts are not escaped: each form of output has its own way.
package struct RenditionRecord: Sendable, Hashable, Codable {
  package enum Status: String, Sendable, Hashable, Codable, CaseIterable {
    case made, current, notStored, failed
  }

  package var job: String
  /// The file of the job line: the job itself, or a list that it includes.
  package var file: String
  package var line: Int
  package var source: String
  package var chain: String
  /// The screen scale; nil where it makes no difference.
  package var scale: Double?
  package var status: Status
  /// What an app will find of it; nil for failed ones.
  package var found: PlannedRendition.Found?
  /// Key and file name of the entry that the app will draw; the file name is that of the exact key.
  package var key: String
  package var fileName: String?
  /// Absolute path of the cache folder.
  package var cache: String
  /// Bytes written.
  package var bytes: Int?
  /// Bytes of the entry's file when the run was over; nil where there is none.
  package var size: Int?
  /// Bytes of the source.
  package var sourceBytes: Int?
  package var note: String?
  package var failure: RunFailure?

  /// `card @2x`.
  package var chainAndScale: String {
    guard let scale else { return chain }
    return "\(chain) @\(NumberText.plain(scale))x"
  }

  /// A `data:` URL may be megabytes long.
  package static func shortened(_ url: String) -> String {
    url.utf8.count <= 400 ? url : String(url.prefix(80)) + "..."
  }
}

extension RenditionRecord {
  /// What may be shown of an outcome. Messages are redacted too, as they repeat what servers and decoders say.
  package init(_ outcome: RenditionOutcome, cache: String) {
    self.init(outcome.rendition, outcome.status.record, cache: cache)
    sourceBytes = outcome.sourceBytes
    found = outcome.found
    note = outcome.rendition.note
    switch outcome.status {
    case .made(let written, let made):
      bytes = written
      // Why an app will not find it is worth more than how it was drawn.
      note = found == .nothing ? note ?? made : made ?? note
    case .current: break
    case .notStored(let reason): note = reason
    case .failed(let failure): self.failure = failure.redacted
    }
    note = note.map(URLRedaction.redacted)
  }

  /// The names of a rendition.
  init(_ rendition: PlannedRendition, _ status: Status, cache: String) {
    // Where the request's own entry is not stored, the one that is.
    let store = rendition.stores.first { $0.key.hasBytes(of: rendition.key) } ?? rendition.stores.first
    self.init(
      job: rendition.job, file: rendition.file, line: rendition.line,
      source: Self.shortened(rendition.redactedSource),
      chain: URLRedaction.redacted(rendition.chain), scale: rendition.dependsOnScale ? rendition.scale : nil,
      status: status, key: Self.shortened(rendition.redacted(store?.key ?? rendition.key)),
      fileName: store?.fileName ?? rendition.fileName, cache: cache)
  }

  /// A line of a job that was left out: one failed rendition, of which only the line's own text is known.
  package init(_ skipped: SkippedLine, of settings: JobSettings) {
    let finding = skipped.diagnostic
    self.init(
      job: settings.path, file: finding.file, line: finding.line,
      source: Self.shortened(URLRedaction.redacted(finding.sourceLine)), chain: "", status: .failed, key: "",
      cache: settings.cache)
    failure = RunFailure(skipped).redacted
  }

  /// Whether it stands for a line that was left out.
  package var isSkippedLine: Bool { failure.map { SkippedLine.Code(rawValue: $0.code) != nil } ?? false }
}

extension RenditionOutcome.Status {
  package var record: RenditionRecord.Status {
    switch self {
    case .made: .made
    case .current: .current
    case .notStored: .notStored
    case .failed: .failed
    }
  }
}

/// An error or a warning about a job's text, with its place. It holds no credentials.
package struct FindingRecord: Sendable, Hashable, Codable {
  package var isError: Bool
  package var file: String
  /// From 1.
  package var line: Int
  package var column: Int
  package var message: String
  package var help: String?
}

extension FindingRecord {
  package init(_ diagnostic: Diagnostic) {
    self.init(
      isError: diagnostic.severity == .error, file: diagnostic.file, line: diagnostic.line,
      column: diagnostic.column, message: URLRedaction.redacted(diagnostic.message),
      help: diagnostic.help.map(URLRedaction.redacted))
  }
}

extension RunFailure {
  package init(_ skipped: SkippedLine) {
    self.init(
      step: .plan, code: skipped.code.rawValue, message: skipped.diagnostic.message,
      advice: skipped.diagnostic.help)
  }
}
