import CacheStore
import Foundation
import KingfisherCache
import NukeCache
import Planning
import Text

/// Why a lookup misses although the cache was made for this very picture: with other settings.
struct CacheProbeHints {
  package let settings: JobSettings
  package let chain: Chain
  package let variant: ChainVariant
  /// What the request's keys begin with.
  package let baseKey: String
  package let folder: String

  /// Sentences without a full stop, the likeliest reason first.
  func hints() -> [String] {
    [otherScale(), otherVersion() ?? otherClient()].compactMap { $0 }
  }

  /// Sizes in points are other pixels on another screen.
  private func otherScale() -> String? {
    guard variant.dependsOnScale else { return nil }
    let found = [1.0, 2, 3].filter { scale in
      let other = settings.layout.variant(of: chain, index: variant.chain, scale: scale)
      return other.suffix != variant.suffix && isPresent(settings.layout, suffix: other.suffix)
    }
    guard !found.isEmpty else { return nil }
    let scales = found.map { "\(Int($0))" }.joined(separator: " and ")
    return "one for screen scale \(scales) is: add the scale to the job, or ask with --scale"
  }

  /// Keys and names changed between versions; what an older one made stays until somebody removes it.
  private func otherVersion() -> String? {
    let own = settings.layout.fileNames(forKey: baseKey + variant.suffix).first
    for client in settings.client.otherReleases {
      var other = settings
      other.client = client
      let layout = other.layout
      let suffix = layout.variant(of: chain, index: variant.chain, scale: variant.scale).suffix
      guard let name = layout.fileNames(forKey: baseKey + suffix).first, name != own,
        CacheProbe.State(path: folder + "/" + name, expiresBy: nil) == .present
      else { continue }
      return "one made for \(client) is, under that version's name: "
        + "make the cache for the version that the app has"
    }
    return nil
  }

  /// What the ledger beside the folder says of all of it.
  private func otherClient() -> String? {
    guard FileManager.default.fileExists(atPath: StateFolder(cache: PathText.absolute(folder)).ledger),
      let made = (try? CacheListing(folder))?.client, made.name != settings.client.name
    else { return nil }
    return "the folder is a cache of \(made)"
  }

  private func isPresent(_ layout: any CacheLayout, suffix: String) -> Bool {
    layout.fileNames(forKey: baseKey + suffix).contains {
      CacheProbe.State(path: folder + "/" + $0, expiresBy: nil) == .present
    }
  }
}

extension LookupOutcome {
  /// Nothing better can be had.
  package var isExact: Bool {
    if case .exact = self { true } else { false }
  }
}

extension CacheClient {
  /// The newest patch of every other minor version, newest first: keys never changed in a patch alone, but for
  /// Kingfisher 7.2.1.
  fileprivate var otherReleases: [CacheClient] {
    switch self {
    case .nuke(let version): NukeVersion.releases.filter { $0 != version }.map(CacheClient.nuke)
    case .kingfisher(let version):
      KingfisherVersion.releases.filter { $0 != version }.map(CacheClient.kingfisher)
    }
  }
}

extension ClientVersion {
  fileprivate static var releases: [Self] {
    newestPatches.flatMap { major, patches in
      patches.enumerated().map { minor, patch in Self(major, minor, patch) }
    }.sorted(by: >)
  }
}
