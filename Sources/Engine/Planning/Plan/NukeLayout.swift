import NukeCache
import Rendering
import Text

/// The cache of Nuke's pipeline: its keys, the entries that its policy stores, the order of its lookups.
struct NukeLayout: CacheLayout {
  private let rules: DataCacheRules
  private let policy: StoragePolicy

  init(version: NukeVersion, policy: StoragePolicy) {
    rules = DataCacheRules(version: version)
    self.policy = policy
  }

  package func variant(of chain: Chain, index: Int, scale: Double) -> ChainVariant {
    let chain = chain.nuke
    let request = RequestShape(hasThumbnail: chain.thumbnail != nil, processorCount: chain.processors.count)
    let format = CacheKeyFormat(version: rules.version, screenScale: scale)
    let other = CacheKeyFormat(version: rules.version, screenScale: scale * 2)
    let suffix = format.suffix(thumbnail: chain.thumbnail, processors: chain.processors)
    let otherSuffix = other.suffix(thumbnail: chain.thumbnail, processors: chain.processors)
    return ChainVariant(
      chain: index, scale: scale, dependsOnScale: suffix != otherSuffix, suffix: suffix,
      thumbnailSuffix: chain.thumbnail.map(format.thumbnailIdentifier(of:)) ?? "",
      processorCount: chain.processors.count, hasThumbnail: chain.thumbnail != nil,
      drawing: NukeDrawing(format: format).drawing(of: chain),
      lookups: rules.lookups(for: request).map { part in
        ChainVariant.Lookup(
          part: part,
          suffix: format.dataCacheKey(
            part, imageID: "", thumbnail: chain.thumbnail, processors: chain.processors))
      })
  }

  package func baseKey(url: String, options: EntryOptions, stripQuery: [QueryPattern]) -> String {
    options.imageID ?? (stripQuery.isEmpty ? url : stripQuery.strip(url))
  }

  package func fileNames(forKey key: String) -> [String] {
    CacheKeyFormat.fileName(forKey: key).map { [$0] } ?? []
  }

  package func resource(_ source: Plan.Source) -> ResourceKind {
    switch source.scheme {
    case .http, .https: .http
    case .file, .data: ResourceKind(urlText: source.url, version: rules.version)
    }
  }

  package func storage(_ source: Plan.Source, variant: ChainVariant, options: EntryOptions) -> PlannedStorage
  {
    let request = RequestShape(
      hasThumbnail: variant.hasThumbnail, processorCount: variant.processorCount,
      options: options.noDiskWrite ? .disableDiskCacheWrites : [])
    guard case .client(let policy) = policy else {
      return PlannedStorage(entries: rules.reachableEntries(for: request))
    }
    let resource = resource(source)
    let entries = rules.storedEntries(for: request, from: resource, policy: policy)
    return PlannedStorage(
      entries: entries, note: note(entries, request: request, resource: resource, policy: policy))
  }

  private func note(
    _ entries: [StoredEntry], request: RequestShape, resource: ResourceKind, policy: DataCachePolicy
  ) -> String? {
    if entries.isEmpty {
      let what = resource == .http ? "this request" : "a picture of this kind of URL"
      return "Nuke \(rules.version) stores nothing for \(what) under \(policy.rawValue); "
        + "policy reachable writes what it looks up"
    }
    guard rules.outcome(of: request, stored: entries.map(\.key)) == .miss else { return nil }
    return "Nuke \(rules.version) stores this where it never looks for it; "
      + "policy reachable writes what it looks up"
  }

  package func encoding(_ encoding: JobEncoding) -> RenderRequest.Encoding {
    let keepsGIF = rules.encodedGIFKeepsOriginalBytes
    return switch encoding {
    // Nuke's own encoder: `ImageEncoders.Default`, JPEG 0.8.
    case .client: .automatic(jpegQuality: 80, keepsGIF: keepsGIF)
    // Alpha stays PNG: a round avatar on a white square is never what was meant.
    case .jpeg(let quality): .automatic(jpegQuality: quality, keepsGIF: keepsGIF)
    case .png: .png
    case .recipe(let recipe): .recipe(recipe.keepingGIF(keepsGIF))
    }
  }

  package func finding(_ lookup: CacheProbe.Lookup) -> (outcome: LookupOutcome, reason: String) {
    let steps = lookup.steps
    let request = RequestShape(
      hasThumbnail: lookup.variant.hasThumbnail, processorCount: lookup.variant.processorCount)
    // The client takes an empty file for an entry; it only fails later, so it does not count here.
    let outcome = rules.outcome(of: request, stored: steps.filter { $0.state == .present }.map(\.part))
    return (outcome, reason(outcome, lookup))
  }

  private func reason(_ outcome: LookupOutcome, _ lookup: CacheProbe.Lookup) -> String {
    let steps = lookup.steps
    switch outcome {
    case .exact: return "the request's own entry is there; it only has to be decoded"
    case .partial:
      return "an entry from earlier in the chain is there; the app makes the rest on every launch"
    case .miss:
      if steps.contains(where: { $0.state == .empty }) { return "the entry is empty; it cannot be decoded" }
      if steps.contains(where: { $0.state == .unreadable }) {
        return "something that is no file has its name"
      }
      let looksAtOriginal = steps.contains { $0.part == .imageID }
      if !looksAtOriginal, lookup.original == .present {
        return "only the original is there, and Nuke \(rules.version) does not look it up for this request"
      }
      return steps.isEmpty
        ? "the key is empty: Nuke finds nothing under it" : "no key that is asked for has a file"
    }
  }
}

extension Chain {
  /// A Nuke job has no other chains.
  fileprivate var nuke: NukeChain {
    guard case .nuke(let chain) = self else { return .original }
    return chain
  }
}
