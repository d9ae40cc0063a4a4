import KingfisherCache
import NukeCache
import Rendering
import Text

/// The disk cache of Kingfisher's `ImageCache`: a request's own entry, and behind it the original that serves
/// every processor (`KingfisherManager`, 5.0.0 and later).
package struct KingfisherLayout: CacheLayout {
  private let format: KingfisherKeyFormat
  private let settings: KingfisherSettings

  package init(version: KingfisherVersion, settings: KingfisherSettings) {
    format = KingfisherKeyFormat(version: version, style: settings.style, naming: settings.naming)
    self.settings = settings
  }

  package func variant(of chain: Chain, index: Int, scale: Double) -> ChainVariant {
    let processors = chain.kingfisher
    let identifier = format.identifier(of: processors)
    // An empty identifier is the default processor's: its entry is the original.
    let count = identifier.isEmpty ? 0 : max(1, processors.count)
    let suffix = format.computedKey(baseKey: "", identifier: identifier)
    let own = ChainVariant.Lookup(part: KeyPart(processorCount: count), suffix: suffix)
    let original = ChainVariant.Lookup(part: .imageID, suffix: "")
    return ChainVariant(
      chain: index, scale: scale, dependsOnScale: false, suffix: suffix, thumbnailSuffix: "",
      processorCount: count, hasThumbnail: false,
      drawing: KingfisherDrawing(version: format.version, scaleFactor: scale).drawing(of: processors),
      lookups: count == 0 ? [original] : [own, original])
  }

  package func baseKey(url: String, options: EntryOptions, stripQuery: [QueryPattern]) -> String {
    if let key = options.imageID { return key }
    // An app that leaves query items out gives the rest as the resource's `cacheKey`.
    let stripped = stripQuery.isEmpty ? url : stripQuery.strip(url)
    return stripped == url ? format.baseKey(url: url) : stripped
  }

  package func fileNames(forKey key: String) -> [String] {
    (try? format.fileNames(forComputedKey: key)) ?? []
  }

  package func fault(ofKey key: String) -> String? {
    guard settings.naming != FileNaming() else { return nil }
    do throws(NotCacheable) {
      _ = try format.fileNames(forComputedKey: key)
      return nil
    } catch {
      return "\(error)"
    }
  }

  package func resource(_ source: Plan.Source) -> ResourceKind { .http }

  package func storage(_ source: Plan.Source, variant: ChainVariant, options: EntryOptions) -> PlannedStorage
  {
    if options.noDiskWrite {
      return PlannedStorage(entries: [], note: "noDiskWrite: as with cacheMemoryOnly, nothing is written")
    }
    let content: StoredEntry.Content = variant.processorCount == 0 ? .original : .encoded
    return PlannedStorage(entries: [StoredEntry(KeyPart(processorCount: variant.processorCount), content)])
  }

  package func encoding(_ encoding: JobEncoding) -> RenderRequest.Encoding {
    switch encoding {
    // `DefaultCacheSerializer`: quality 1.0 for JPEG sources, PNG for the others.
    case .client: .likeSource(jpegQuality: 100)
    case .jpeg(let quality): .automatic(jpegQuality: quality, keepsGIF: false)
    case .png: .png
    case .recipe(let recipe): .recipe(recipe.keepingGIF(false))
    }
  }

  package func expiry(_ options: EntryOptions) -> JobExpiry? { options.expiry ?? settings.expiry }

  package func finding(_ lookup: CacheProbe.Lookup) -> (outcome: LookupOutcome, reason: String) {
    guard let own = lookup.steps.first else {
      return (.miss, "no file name can be made of this key: Kingfisher neither stores nor finds it")
    }
    switch own.state {
    case .present: return (.exact(own.part), "the request's own entry is there; it only has to be decoded")
    // Anything under the name is taken for the picture, and then nothing else is tried.
    case .empty: return (.miss, "the entry is empty: Kingfisher fails the request and does not download")
    case .unreadable: return (.miss, "something that is no file has its name")
    case .absent, .expired: break
    }
    let why = own.state == .expired ? "the entry has expired" : "the request's own entry is not there"
    if lookup.steps.count > 1, let original = lookup.steps.last {
      switch original.state {
      case .present:
        return (
          .partial(original.part),
          "\(why); the original is, and the app runs its processor on it" + hint(lookup)
        )
      case .empty: return (.miss, "\(why), and the original is empty")
      case .expired: return (.miss, "\(why), and the original has expired")
      case .absent, .unreadable: break
      }
    }
    return (.miss, why + hint(lookup))
  }

  /// The commonest reason for a miss is the leading `|>` of `KF` and `KFImage`.
  private func hint(_ lookup: CacheProbe.Lookup) -> String {
    guard let other = lookup.otherStyle, other == .present else { return "" }
    let style = format.style == .options ? "builder" : "options"
    return "; one made with style \(style) is: set the style to how the app builds its requests"
  }

  /// The request's key suffix as the other way of building a request would make it.
  package func otherStyleSuffix(of chain: Chain) -> String? {
    var other = format
    other.style = format.style == .options ? .builder : .options
    let processors = chain.kingfisher
    guard other.unsupportedReason(processors: processors) == nil else { return nil }
    let suffix = other.computedKey(baseKey: "", identifier: other.identifier(of: processors))
    return suffix == format.computedKey(baseKey: "", identifier: format.identifier(of: processors))
      ? nil : suffix
  }
}

extension Chain {
  /// A Kingfisher job has no other chains.
  fileprivate var kingfisher: [BuiltInProcessor] {
    guard case .kingfisher(let processors) = self else { return [] }
    return processors
  }
}
