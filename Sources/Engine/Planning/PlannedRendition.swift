import ClientKit
import Pictures
import Text

/// One rendition as people and programs see it in `plan` and in reports.
package struct PlannedRendition: Sendable, Hashable {
  /// The job's path as given, and the place of the job line that asked first.
  package var job: String
  package var file: String
  package var line: Int
  /// The source's URL as the app holds it. It may hold a secret: redact it before it is shown.
  package var source: String
  /// The same without credentials.
  package var redactedSource: String
  /// The chain's name, or its text.
  package var chain: String
  /// Screen scale; for sizes in pixels the first of the job.
  package var scale: Double
  /// Whether `scale` makes a difference: false for sizes in pixels.
  package var dependsOnScale: Bool
  package var client: CacheClient
  /// The release that was asked for where the client has another, and the known one whose rules hold for one that is not.
  package var asked, rules: String?
  /// The request's own key in the client's disk cache; empty where the client has none.
  package var key: String
  /// File name of `key`, nil for the empty key.
  package var fileName: String?
  /// What a run writes for it.
  package var stores: [Store]
  /// Why it cannot be drawn, whatever the source is. Then a run writes nothing for it.
  package var obstacle: String?
  /// What the app's version finds of the job's cache entries when it asks for this rendition, the first before all
  /// others; none for a miss.
  package var lookups: [Lookup]
  /// Why nothing is drawn or stored, or what the client will not find. Nil where all is well.
  package var note: String?
  /// Its source is known to be animated, and `stores` are those of that.
  package var animated: AnimatedKind?

  package var lookup: Lookup? { lookups.first }

  /// Why it cannot be made, whatever the source turns out to be.
  package var impossibility: RunFailure? {
    if key.isEmpty {
      return RunFailure(
        step: .plan, code: "plan.no-key",
        message: "its cache key is empty: the client neither stores nor finds it", advice: "give it an id=")
    }
    return obstacle.map { reason in
      RunFailure(step: .plan, code: "plan.not-drawable", message: "it cannot be drawn: \(reason)")
    }
  }

  /// One of its keys without credentials.
  package func redacted(_ key: String) -> String { URLRedaction.key(key, source: redactedSource) }

  /// One of the client's lookups that has an entry.
  package struct Lookup: Sendable, Hashable {
    /// Which part of the request the entry's key says.
    package var part: String
    package var key: String
    /// The request's own entry; otherwise the device makes the rest of the chain on every launch.
    package var isExact: Bool

    /// `U` alone: the source's own bytes.
    package var isOriginal: Bool { part == KeySuffix.original.part }
  }

  /// How much of its work an app finds done.
  package enum Found: String, Sendable, Hashable, Codable, CaseIterable {
    /// The request's own entry.
    case exact
    /// An entry from earlier in the chain: the app makes the rest itself.
    case part
    case nothing
  }

  package var found: Found { lookup.map { $0.isExact ? .exact : .part } ?? .nothing }

  /// One cache entry that a run writes.
  package struct Store: Sendable, Hashable {
    package var key: String
    package var fileName: String
    package var content: EntryContent
    /// When the app takes it for expired; nil where the client's entries do not expire.
    package var expiry: EntryExpiry?
    /// That of the most urgent rendition that stores it.
    package var priority = RequestPriority.normal
  }
}
