import Fetching
import Planning

/// What is still open about a source after a look at the cache folder, the ledger and the HTTP cache.
struct SourceNeeds: Sendable {
  /// A rendition whose files are untouched: it is right if the source is still what it was made from.
  struct Unproven: Sendable {
    package var task: RenditionTask
    package var known: HTTPKnownVersion
  }

  /// Renditions to be made, whatever the source is now.
  package var needed: [RenditionTask] = []
  var unproven: [Unproven] = []

  package var isEmpty: Bool { needed.isEmpty && unproven.isEmpty }
  package var tasks: [RenditionTask] { needed + unproven.map(\.task) }

  /// The one version that all is about, if the source's bytes are needed only where it is another one now.
  package var question: HTTPKnownVersion? {
    guard needed.isEmpty, let first = unproven.first?.known,
      unproven.allSatisfy({ $0.known.digest == first.digest })
    else { return nil }
    return first
  }
}
