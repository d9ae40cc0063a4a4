import JobFile
import Syntax
import Text

/// One rendition and how it ended, as everything that tells of it has it: the lines of `plan`, `key` and `run`, the
/// record that a run leaves, and all reports.
///
/// Of a run it holds no credentials. Texts are not escaped: each form of output has its own way.
package struct RenditionRecord: Sendable, Hashable, Codable {
  package enum Status: String, Sendable, Hashable, Codable, CaseIterable {
    case made, current, notStored, failed
  }

  /// One of its entries.
  package struct Store: Sendable, Hashable, Codable {
    package var key: String
    package var file: String
    package var content: String
  }

  package var job: String
  /// The file of the job line where that is not the job itself: a list that it includes.
  package var list: String?
  package var line: Int
  package var source: String
  package var chain: String
  /// The screen scale, and whether it makes a difference.
  package var scale = 1.0
  package var isScaled: Bool?
  package var client = ""
  /// As in ``PlannedRendition``.
  package var asked, rules: String?
  /// The request's own key, and the file of it.
  package var key: String
  package var fileName: String?
  package var stores: [Store] = []
  package var note: String?
  /// What the plan has for an app that asks for it.
  package var hit = false
  package var exact = false
  package var hitKey: String?
  package var status: Status
  /// Bytes written.
  package var bytes: Int?
  package var failure: RunFailure?
  /// Absolute path of the cache folder.
  package var cache = ""
  /// What an app will find of it after the run; nil for failed ones.
  package var found: PlannedRendition.Found?
  /// Bytes of the entry's file when the run was over; nil where there is none.
  package var size: Int?
  /// Bytes of the source.
  package var sourceBytes: Int?

  /// The names that a line of JSON has for them.
  private enum CodingKeys: String, CodingKey {
    case job, list, line, source, chain, scale, client, asked, rules, key, stores, note, hit, exact, hitKey
    case status, bytes, cache, found, size, sourceBytes
    case isScaled = "scaled"
    case fileName = "file"
    case failure = "error"
  }

  /// The file of the job line.
  package var file: String { list ?? job }

  /// The entry that the app will draw: the request's own where it is stored.
  package var entry: Store? { stores.first { $0.file == fileName } ?? stores.first }
  package var entryKey: String { entry?.key ?? key }
  package var entryFile: String? { entry?.file ?? fileName }

  /// `card @2x`.
  package var chainAndScale: String {
    isScaled == true ? "\(chain) @\(NumberText.plain(scale))x" : chain
  }

  /// A `data:` URL may be megabytes long.
  package static func shortened(_ url: String) -> String {
    url.utf8.count <= 400 ? url : String(url.prefix(80)) + "..."
  }

  /// The same to be kept.
  package var shortened: RenditionRecord {
    var record = self
    (record.source, record.key) = (Self.shortened(source), Self.shortened(key))
    record.hitKey = hitKey.map(Self.shortened)
    for index in stores.indices { record.stores[index].key = Self.shortened(stores[index].key) }
    return record
  }
}

extension RenditionRecord {
  /// What may be shown of an outcome. Messages are redacted too, as they repeat what servers and decoders say.
  package init(_ outcome: RenditionOutcome, cache: String) {
    self.init(outcome.rendition, outcome.status.record, cache: cache, hidesCredentials: true)
    sourceBytes = outcome.sourceBytes
    found = outcome.found
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

  /// - Parameter hidesCredentials: in keys and the chain; a plan has those that were asked for.
  package init(
    _ rendition: PlannedRendition, _ status: Status, cache: String, hidesCredentials: Bool = false
  ) {
    let shown = hidesCredentials ? rendition.redacted : { $0 }
    self.init(
      job: rendition.job, file: rendition.file, line: rendition.line, source: rendition.redactedSource,
      chain: hidesCredentials ? URLRedaction.redacted(rendition.chain) : rendition.chain, status: status,
      key: shown(rendition.key))
    self.cache = cache
    (scale, isScaled) = (rendition.scale, rendition.dependsOnScale ? true : nil)
    (client, fileName, note) = (rendition.client.description, rendition.fileName, rendition.note)
    (asked, rules) = (rendition.asked, rendition.rules)
    // Most have one key, whose text is made once.
    let key = key
    let shownKey = { (other: String) in other.hasBytes(of: rendition.key) ? key : shown(other) }
    stores = rendition.stores.map {
      Store(key: shownKey($0.key), file: $0.fileName, content: $0.content.rawValue)
    }
    guard let lookup = rendition.lookup else { return }
    (hit, exact, hitKey) = (true, lookup.isExact, shownKey(lookup.key))
  }

  package init(
    job: String, file: String, line: Int, source: String, chain: String, status: Status, key: String
  ) {
    (self.job, list, self.line) = (job, file == job ? nil : file, line)
    (self.source, self.chain, self.status) = (source, chain, status)
    self.key = key
  }

  /// A line of a job that was left out: one failed rendition, of which only the line's own text is known.
  package init(_ skipped: SkippedLine, of settings: JobSettings) {
    let finding = skipped.diagnostic
    self.init(
      job: settings.path, file: finding.file, line: finding.line,
      source: Self.shortened(URLRedaction.redacted(finding.sourceLine)), chain: "", status: .failed, key: "")
    cache = settings.cache
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
