import CacheTools
import ClientKit
import JobFile
import Planning
import Reporting
import Syntax
import Text

/// The lines of `plan`, `key` and `run` about a rendition; docs/json.md says what the fields mean.
///
/// By reference: each member gets it, and it has many texts.
final class RenditionLine: JSONRecord {
  private let rendition: PlannedRendition
  /// What became of it in a run.
  private let record: RenditionRecord?
  /// What a cache has of it.
  private let probe: CacheProbe?

  static let json = JSONMembers<RenditionLine>(
    type: "rendition", ("job", \.rendition.job), ("line", \.rendition.line),
    ("source", \.rendition.redactedSource), ("chain", \.rendition.chain), ("scale", \.rendition.scale),
    ("client", \.rendition.client.description), ("key", \.rendition.key), ("file", \.rendition.fileName),
    ("stores", \.rendition.stores), ("note", \.rendition.note), ("hit", \.isHit), ("exact", \.isExact),
    ("hitKey", \.hitKey), ("list?", \.list), ("status?", \.record?.status), ("bytes?", \.record?.bytes),
    ("error?", \.record?.failure), ("reason?", \.probe?.finding.reason), ("lookups?", \.probe?.steps))

  private var lookup: PlannedRendition.Lookup? { rendition.lookups.first }
  private var isHit: Bool { probe.map { $0.finding.outcome != .miss } ?? (lookup != nil) }
  private var isExact: Bool { probe.map { $0.finding.outcome == .exact } ?? lookup?.isExact ?? false }
  private var hitKey: String? { lookup?.key }
  /// Where it is not the job itself.
  private var list: String? { rendition.file == rendition.job ? nil : rendition.file }

  /// - Parameter rendition: its key is exact, since it is what was asked for.
  init(_ rendition: PlannedRendition, _ probe: CacheProbe? = nil) {
    (self.rendition, self.probe, record) = (rendition, probe, nil)
  }

  /// In reports of a run credentials in the texts are blotted out.
  init(_ record: RenditionRecord, of rendition: PlannedRendition) {
    var shown = rendition
    shown.chain = URLRedaction.redacted(rendition.chain)
    shown.key = rendition.redacted(rendition.key)
    for index in shown.stores.indices {
      shown.stores[index].key = rendition.redacted(shown.stores[index].key)
    }
    for index in shown.lookups.indices.prefix(1) {
      shown.lookups[index].key = rendition.redacted(shown.lookups[index].key)
    }
    shown.note = record.note
    (self.rendition, self.record, probe) = (shown, record, nil)
  }
}

extension PlannedRendition.Store: JSONRecord {
  package static let json = JSONMembers<Self>(("key", \.key), ("file", \.fileName), ("content", \.content))
}

extension CacheProbe.Step: JSONRecord {
  package static let json = JSONMembers<Self>(
    ("key", \.key), ("file", \.fileName), ("part", \.part), ("state", \.state.rawValue))
}

extension RunFailure: JSONRecord {
  package static let json = JSONMembers<Self>(
    ("step", \.step), ("code", \.code), ("message", \.message), ("advice", \.advice),
    ("retryable", \.isRetryable))
}

/// A line of a job that was left out.
struct SkippedRecord: JSONRecord {
  let job: String
  let line: SkippedLine

  static let json = JSONMembers<Self>(
    type: "skipped", ("job", \.job), ("line", \.line.diagnostic.line), ("column", \.line.diagnostic.column),
    ("text", \.text), ("status", \.status), ("error", \.error), ("list?", \.list))

  private var text: String { URLRedaction.redacted(line.diagnostic.sourceLine) }
  private var status: RenditionRecord.Status { .failed }
  private var error: RunFailure { RunFailure(line).redacted }
  private var list: String? { line.diagnostic.file == job ? nil : line.diagnostic.file }
}

extension Diagnostic: JSONRecord {
  package static let json = JSONMembers<Self>(
    type: "diagnostic", ("severity", \.severity), ("file", \.file), ("line", \.line), ("column", \.column),
    ("message", \.message), ("help", \.help))
}

extension CacheSize: JSONRecord {
  package static let json = JSONMembers<Self>(
    ("cache", \.path), ("files", \.files), ("bytes", \.bytes), ("allocatedBytes", \.allocatedBytes),
    ("sizeLimit", \.sizeLimit), ("maxSize", \.maxSize))
}

extension HostConnections: JSONRecord {
  package static let json = JSONMembers<Self>(
    ("origin", \.origin), ("most", \.most), ("halvings", \.halvings))
}

/// The last line of `run`.
extension RunRecord: JSONRecord {
  package static let json = JSONMembers<Self>(
    type: "summary", ("planned", \.counts.planned), ("made", \.counts.made), ("current", \.counts.current),
    ("notStored", \.counts.notStored), ("failed", \.counts.failed), ("skippedLines", \.counts.skippedLines),
    ("foundInPart", \.counts.foundInPart), ("notFound", \.counts.notFound), ("animated", \.animated),
    ("retryable", \.counts.retryable), ("sourcesFetched", \.counts.sourcesFetched),
    ("bytesFetched", \.counts.bytesFetched), ("sourcesValidated", \.counts.sourcesValidated),
    ("sourcesCached", \.counts.sourcesCached), ("filesWritten", \.counts.filesWritten),
    ("bytesWritten", \.counts.bytesWritten), ("seconds", \.summary.seconds),
    ("interrupted", \.summary.isInterrupted), ("stopped", \.summary.stoppedCode), ("exit", \.summary.exit),
    ("connections", \.connections), ("releases", \.releases), ("drawings", \.drawings), ("caches", \.caches))

  private var counts: RunCounts { summary.counts }
  private var animated: Int { counts.animated ?? 0 }
  private var connections: [HostConnections] { summary.connections ?? [] }
  private var releases: [String] { summary.releases ?? [] }
  private var drawings: [String] { summary.drawings ?? [] }
}
