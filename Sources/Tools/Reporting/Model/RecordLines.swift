import Planning
import Syntax
import Text

/// The lines of `plan`, `key` and `run` about a rendition, and of the record; docs/json.md says what the fields mean.
///
/// By reference: each member gets it, and it has many texts.
package final class RenditionLine: JSONRecord {
  private let record: RenditionRecord
  /// Nil of a rendition that was only planned.
  private let outcome: RenditionRecord?
  /// What a look into a cache has found.
  private let look: Look?

  package typealias Look = (isHit: Bool, isExact: Bool, reason: String, lookups: [Lookup])

  package static let json = JSONMembers<RenditionLine>(
    type: "rendition", ("job", \.record.job), ("line", \.record.line), ("source", \.record.source),
    ("chain", \.record.chain), ("scale", \.record.scale), ("client", \.record.client),
    ("asked?", \.record.asked), ("rules?", \.record.rules), ("key", \.record.key),
    ("file", \.record.fileName), ("stores", \.record.stores), ("note", \.record.note),
    ("hit", \.isHit), ("exact", \.isExact), ("hitKey", \.record.hitKey), ("list?", \.record.list),
    ("status?", \.outcome?.status), ("bytes?", \.outcome?.bytes), ("error?", \.outcome?.failure),
    ("reason?", \.look?.reason), ("lookups?", \.look?.lookups), ("cache?", \.outcome?.cache),
    ("found?", \.outcome?.found), ("scaled?", \.outcome?.isScaled), ("size?", \.outcome?.size),
    ("sourceBytes?", \.outcome?.sourceBytes))

  private var isHit: Bool { look?.isHit ?? record.hit }
  private var isExact: Bool { look?.isExact ?? record.exact }

  /// Its key is exact, since it is what was asked for.
  package init(_ rendition: PlannedRendition, _ look: Look? = nil) {
    record = RenditionRecord(rendition, .current, cache: "")
    (outcome, self.look) = (nil, look)
  }

  package init(_ record: RenditionRecord) { (self.record, outcome, look) = (record, record, nil) }

  /// A key that was asked for.
  package struct Lookup: JSONRecord {
    private let key, file, part, state: String

    package init(key: String, file: String, part: String, state: String) {
      (self.key, self.file, self.part, self.state) = (key, file, part, state)
    }

    package static let json = JSONMembers<Self>(
      ("key", \.key), ("file", \.file), ("part", \.part), ("state", \.state))
  }
}

extension RenditionRecord.Status: JSONWord {}
extension PlannedRendition.Found: JSONWord {}
extension RunFailure.Step: JSONWord {}

extension RenditionRecord.Store: JSONRecord {
  package static let json = JSONMembers<Self>(("key", \.key), ("file", \.file), ("content", \.content))
}

extension RunFailure: JSONRecord {
  package static let json = JSONMembers<Self>(
    ("step", \.step), ("code", \.code), ("message", \.message), ("advice", \.advice),
    ("retryable", \.isRetryable), ("cause?", \.cause))
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

/// The last line of `run`, and the first of its record.
extension RunRecord: JSONRecord {
  package static let json = JSONMembers<Self>(
    type: "summary", ("planned", \.counts.planned), ("made", \.counts.made), ("current", \.counts.current),
    ("notStored", \.counts.notStored), ("failed", \.counts.failed), ("skippedLines", \.counts.skippedLines),
    ("foundInPart", \.counts.foundInPart), ("notFound", \.counts.notFound), ("animated", \.counts.animated),
    ("retryable", \.counts.retryable), ("sourcesFetched", \.counts.sourcesFetched),
    ("bytesFetched", \.counts.bytesFetched), ("sourcesValidated", \.counts.sourcesValidated),
    ("sourcesCached", \.counts.sourcesCached), ("filesWritten", \.counts.filesWritten),
    ("bytesWritten", \.counts.bytesWritten), ("seconds", \.summary.seconds),
    ("interrupted", \.summary.isInterrupted), ("stopped", \.summary.stoppedCode), ("exit", \.summary.exit),
    ("connections", \.summary.connections), ("releases", \.summary.releases),
    ("drawings", \.summary.drawings), ("caches", \.caches),
    ("program", \.summary.program), ("jobs", \.summary.jobs), ("started", \.summary.started),
    ("meaning", \.summary.meaning), ("reason?", \.summary.stopped),
    ("confinement?", \.summary.confinement), ("prunedFiles?", \.summary.prunedFiles),
    ("prunedBytes?", \.summary.prunedBytes),
    ("omittedRenditions", \.summary.omittedRenditions), ("omittedFindings", \.summary.omittedFindings))

  private var counts: RunCounts { summary.counts }
}
