import Glibc
import NukeCache

/// What an app's lookup of one request finds in a cache folder: the keys that it asks for, in order.
public struct CacheProbe: Sendable, Hashable {
  public var rendition: PlannedRendition
  public var steps: [Step]
  public var outcome: LookupOutcome
  /// In words: why it is a hit or a miss.
  public var reason: String

  /// One key that the client asks its disk cache for.
  public struct Step: Sendable, Hashable {
    public var key: String
    public var fileName: String
    public var part: KeyPart
    public var state: State
  }

  public enum State: String, Sendable, Hashable {
    case absent
    case present
    /// No bytes: Nuke takes it for a hit, cannot decode it and goes on to the network.
    case empty
    /// Something that is no file; Nuke cannot read it.
    case unreadable
  }
}

extension Plan {
  /// Looks all renditions up in a folder as the client's version does (`DataCacheRules.lookups`).
  public func probes(in folder: String) -> [CacheProbe] {
    rows.map { row in probe(row, in: folder) }
  }

  private func probe(_ row: Row, in folder: String) -> CacheProbe {
    let variant = variants[Int(row.variant)]
    let request = RequestShape(hasThumbnail: variant.hasThumbnail, processorCount: variant.processorCount)
    let rules = DataCacheRules(version: settings.client)
    let steps = rules.lookups(for: request).compactMap { step($0, of: row, in: folder) }
    // The client takes an empty file for an entry; it only fails later, so it does not count here.
    let outcome = rules.outcome(
      of: request, stored: steps.filter { $0.state == .present }.map(\.part))
    return CacheProbe(
      rendition: rendition(at: row), steps: steps, outcome: outcome,
      reason: reason(outcome, steps: steps, row: row, folder: folder))
  }

  private func step(_ part: KeyPart, of row: Row, in folder: String) -> CacheProbe.Step? {
    let variant = variants[Int(row.variant)]
    let chain = chains[variant.chain].chain
    let key = CacheKeyFormat(version: settings.client, screenScale: variant.scale).dataCacheKey(
      part, imageID: imageID(of: row), thumbnail: chain.thumbnail, processors: chain.processors)
    guard let fileName = CacheKeyFormat.fileName(forKey: key) else { return nil }
    return CacheProbe.Step(
      key: key, fileName: fileName, part: part, state: CacheProbe.State(path: folder + "/" + fileName))
  }

  private func reason(_ outcome: LookupOutcome, steps: [CacheProbe.Step], row: Row, folder: String) -> String
  {
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
      if !looksAtOriginal, step(.imageID, of: row, in: folder)?.state == .present {
        return "only the original is there, and Nuke \(settings.client) does not look it up for this request"
      }
      return steps.isEmpty
        ? "the key is empty: Nuke finds nothing under it" : "no key that is asked for has a file"
    }
  }
}

extension CacheProbe.State {
  /// As the client's own read sees it: links are followed.
  init(path: String) {
    var info = stat()
    guard stat(path, &info) == 0 else {
      self = .absent
      return
    }
    guard info.st_mode & S_IFMT == S_IFREG else {
      self = .unreadable
      return
    }
    self = info.st_size == 0 ? .empty : .present
  }
}
