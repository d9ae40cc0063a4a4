import NukeCache
import Rendering
import Text

/// How a client's version lays its cache out: what a request's keys are, which files hold them, which entries
/// a request leads to, and what a lookup finds. All that a plan has to know about a client.
package protocol CacheLayout: Sendable {
  /// A chain at one screen scale.
  func variant(of chain: Chain, index: Int, scale: Double) -> ChainVariant

  /// What every key of a request begins with: the URL's own form, or what the app gives in its place.
  func baseKey(url: String, options: EntryOptions, stripQuery: [QueryPattern]) -> String

  /// Names of the files that hold an entry, the one that is looked up first; none where the client has none.
  func fileNames(forKey key: String) -> [String]

  /// Why the client can neither store nor find a key, where that makes the job wrong; nil for most.
  func fault(ofKey key: String) -> String?

  /// Sources that are stored alike have the same kind.
  func resource(_ source: Plan.Source) -> ResourceKind

  /// Which cache entries a request leads to under the job's settings.
  func storage(_ source: Plan.Source, variant: ChainVariant, options: EntryOptions) -> PlannedStorage

  /// How a result is encoded for an entry.
  func encoding(_ encoding: JobEncoding) -> RenderRequest.Encoding

  /// When an entry of these options expires; nil where entries do not.
  func expiry(_ options: EntryOptions) -> JobExpiry?

  /// What a request finds, with the reason in words.
  func finding(_ lookup: CacheProbe.Lookup) -> (outcome: LookupOutcome, reason: String)
}

extension CacheLayout {
  package func fault(ofKey key: String) -> String? { nil }
  package func expiry(_ options: EntryOptions) -> JobExpiry? { nil }

  /// The variants of a chain, one for each scale that makes a difference.
  package func variants(of chain: Chain, index: Int, scales: [Double]) -> [ChainVariant] {
    var variants: [ChainVariant] = []
    for scale in scales {
      let variant = variant(of: chain, index: index, scale: scale)
      let isKnown = variants.contains { $0.suffix == variant.suffix && $0.drawing == variant.drawing }
      if !isKnown { variants.append(variant) }
    }
    return variants
  }
}

extension JobSettings {
  /// The layout that the job's client has.
  package var layout: any CacheLayout {
    switch client {
    case .nuke(let version): NukeLayout(version: version, policy: policy)
    case .kingfisher(let version): KingfisherLayout(version: version, settings: kingfisher)
    }
  }
}

package /// The entries of one request.
  struct PlannedStorage: Sendable, Hashable
{
  package var entries: [StoredEntry]
  /// What a person should know about it.
  package var note: String?

  var needsDrawing: Bool { entries.contains { $0.content == .encoded } }
}
