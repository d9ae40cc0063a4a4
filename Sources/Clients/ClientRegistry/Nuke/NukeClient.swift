import ClientKit
import FileStore
import Foundation
import NukeCache
import Pictures
import Syntax
import Text

/// Nuke, 10.0.0 to 13.2.0: keys, entries and lookups of its pipeline (`ImagePipeline`, `DataCache`).
package struct NukeClient: ImageClient {
  let version: NukeVersion
  let policy: StoragePolicy
  let last = LastReadings()

  package init(version: NukeVersion, policy: StoragePolicy = .automatic) {
    self.version = version
    self.policy = policy
  }

  package static let name = "nuke"

  /// The row of the registry.
  package static let library = ClientLibrary(
    name: name, versions: NukeVersion.self, settings: [StoragePolicy.setting],
    package: LibraryPackage("kean/Nuke", pod: "Nuke"),
    candidateNote:
      "a GIF with processors or a thumbnail may not be stored, and the faults that docs/versions.md lists may "
      + "be mended or not"
  ) { version, values in
    NukeClient(version: version, policy: values[StoragePolicy.key])
  }

  package var identity: CacheClient { CacheClient(name: Self.name, release: Release(version)) }

  // MARK: Keys

  package func form(of chain: Chain, scale: Double) -> ChainForm {
    let request = NukeChain(chain)
    let (context, other) = (context(scale), context(scale * 2))
    let full = request.shape.fullKey
    let drawing = drawing(of: chain.calls, scale: scale)
    let suffix = request.suffix(full, context)
    // A processor under an identifier of its own has one key for all scales, and other pixels at each.
    let isScaled =
      suffix != request.suffix(full, other) || drawing != self.drawing(of: chain.calls, scale: scale * 2)
    return ChainForm(
      scale: scale, dependsOnScale: isScaled, suffix: suffix,
      lookups: version.lookups(for: request.shape).filter(request.isKnown).map {
        $0 == full ? suffix : request.suffix($0, context)
      },
      drawing: drawing)
  }

  func context(_ scale: Double?) -> KeyContext { KeyContext(release: Release(version), scale: scale) }

  /// `ImageProcessingOptions.Unit`, 10.0.0 to 13.2.0: points times the screen's scale, which is 1 on macOS always and
  /// on visionOS since there is one.
  package func scale(ofKey base: String) -> PictureScale {
    .unknown(
      advice: "iPhones have 2x and 3x screens: scale 2 3, or --scale '2 3'; scale 1 for macOS and visionOS")
  }

  package func names(ofKey key: String) -> EntryNames {
    (CacheKeyFormat.fileName(forKey: key).map { [$0] } ?? [], [])
  }

  package func unsupportedReason(_ chain: Chain) -> String? {
    chain.calls.lazy.compactMap { ProcessorKey.all.unsupportedReason($0, context(nil)) }.first
  }

  // MARK: Storing and finding

  package func sourceClass(url: String, scheme: SourceScheme) -> Int {
    let kind = scheme.isWeb ? ResourceKind.http : ResourceKind(urlText: url, version: version)
    return ResourceKind.allCases.firstIndex(of: kind) ?? 0
  }

  package func storage(
    of chain: Chain, form: ChainForm, sourceClass: Int, options: RequestOptions
  ) -> EntryStorage {
    let request = NukeChain(chain)
    var shape = request.shape
    if options.noDiskWrite { shape.options = .disableDiskCacheWrites }
    // Reading and loading are the app's matter: a run stores for a request that does neither, too.
    var reading = shape
    if options.readsNothing { reading.options.insert(.disableDiskCacheReads) }
    if options.offline { reading.options.insert(.returnCacheDataDontLoad) }
    let context = context(form.scale)
    let full = shape.fullKey
    func suffix(_ part: KeyPart) -> KeySuffix { part == full ? form.suffix : request.suffix(part, context) }
    let lookups = version.lookups(for: reading).filter(request.isKnown).map(suffix)
    func rule(_ entry: StoredEntry) -> EntryRule {
      (suffix(entry.key), entry.content == .original ? .original : .encoded)
    }
    var storage = EntryStorage(entries: [], lookups: lookups)
    if let policy = policy.client {
      let resource = ResourceKind.allCases[sourceClass]
      let entries = version.storedEntries(for: shape, from: resource, policy: policy)
        .filter { request.isKnown($0.key) }
      storage.entries = entries.map(rule)
      storage.note = note(entries, shape: shape, reading: reading, resource: resource, policy: policy)
    } else {
      storage.entries = version.reachableEntries(for: shape).map(rule)
      storage.note = options.readsNothing ? Self.readsNothing : nil
    }
    if version.encodedGIFKeepsOriginalBytes, storage.needsDrawing, options.encoding?.namesFormat != true {
      let kept = AnimatedStorage(
        storage.entries.map { ($0.key, .original) },
        version.mayDropProcessedGIFs
          ? "it is unknown whether Nuke \(version.major) stores anything of a GIF that it processes; its own bytes are written"
          : "Nuke \(version) stores a GIF's own bytes, whatever is made of it")
      storage.animated = [.gif: kept, .stillGIF: kept, .oddGIF: version.knowsGIFByLetters ? kept : nil]
        .compactMapValues { $0 }
    }
    return storage
  }

  package var readOptions: [String: any WritableKeyPath<RequestOptions, Bool> & Sendable] {
    [
      "disableDiskCacheReads": \.noDiskRead, "disableDiskCache": \.noDiskRead,
      "reloadIgnoringCachedData": \.noDiskRead, "returnCacheDataDontLoad": \.offline,
    ]
  }

  private static let readsNothing =
    "a request with disableDiskCacheReads (noDiskRead) or reloadIgnoringCachedData (reload) never looks in the disk cache"

  private func note(
    _ entries: [StoredEntry], shape: RequestShape, reading: RequestShape, resource: ResourceKind,
    policy: DataCachePolicy
  ) -> String? {
    if reading.options.contains(.disableDiskCacheReads) { return Self.readsNothing }
    if entries.isEmpty {
      let what = resource == .http ? "this request" : "a picture of this kind of URL"
      return "Nuke \(version) stores nothing for \(what) under \(policy.rawValue); "
        + "policy reachable writes what it looks up"
    }
    let keys = entries.map(\.key)
    guard version.found(by: reading, stored: keys) == nil else { return nil }
    if version.found(by: shape, stored: keys) != nil {
      return "a request with returnCacheDataDontLoad (offline) looks up the finished picture alone, and "
        + "\(policy.rawValue) stores only what it is made from; policy reachable writes what it looks up"
    }
    return "Nuke \(version) stores this where it never looks for it; "
      + "policy reachable writes what it looks up"
  }

  package func encoding(_ choice: EncodingChoice) -> OutputEncoding {
    // Nuke's own encoder: `ImageEncoders.Default`, JPEG 0.8.
    choice.output(usual: .automatic(jpegQuality: 80))
  }

  package func finding(_ lookup: LookupReport) -> LookupFinding {
    let steps = lookup.steps
    // The client takes an empty file for an entry; it only fails later, so it does not count here.
    if let found = steps.first(where: { $0.state == .present }) {
      if found.key == lookup.form.suffix {
        return (.exact, "the request's own entry is there; it only has to be decoded")
      }
      if let failure = lookup.form.drawing.failure {
        return (
          .miss, "an entry from earlier in the chain is there, and the app fails: \(failure)"
        )
      }
      return (
        .partial, "an entry from earlier in the chain is there; the app makes the rest on every launch"
      )
    }
    if steps.contains(where: { $0.state == .empty }) {
      return (.miss, "the entry is empty; it cannot be decoded")
    }
    if steps.contains(where: { $0.state == .unreadable }) {
      return (.miss, "a folder, a link or a device has its name")
    }
    if lookup.options.readsNothing { return (.miss, Self.readsNothing) }
    if !steps.contains(where: { $0.key == .original }), lookup.original == .present {
      let request =
        lookup.options.offline ? "this request with returnCacheDataDontLoad (offline)" : "this request"
      return (
        .miss, "only the original is there, and Nuke \(version) does not look it up for \(request)"
      )
    }
    return (
      .miss,
      steps.isEmpty
        ? "the key is empty: Nuke finds nothing under it" : "none of the keys that are looked up has a file"
    )
  }
}

/// Which entries a run writes: those of a policy of the client's own, or `reachable`.
package enum StoragePolicy: String, Hashable, Sendable, CaseIterable {
  case automatic, storeOriginalData, storeEncodedImages, storeAll
  /// Whatever the client will look up first and find.
  case reachable

  var client: DataCachePolicy? { DataCachePolicy(rawValue: rawValue) }

  package static let key = SettingKey("policy", default: StoragePolicy.automatic)

  package static let setting = Setting(
    key, .choices("NAME", of: "policy"), in: .all, .job, "which entries are written",
    example: "policy automatic"
  ).with {
    $0.detail = """
      The client's own data cache policies, or 'reachable': whatever the client looks up first and finds. One of \
      \(allCases.map(\.rawValue).joined(separator: ", ")).
      """
    $0.defaultText = "automatic"
  }
}

/// Nuke's folder: names are SHA-1 digests, a sweep goes by access dates, and since 12.1.5 it waits for an interval after
/// the date in `.data-cache-info`.
extension NukeClient {
  package var folder: FolderRules {
    FolderRules(
      defaultSizeLimit: DataCache.defaultSizeLimit, countsBlocks: true,
      sweepKeeps: DataCache.trimRatio)
  }

  package func isName(_ name: String, ofKey key: String?) -> Bool {
    key.map { CacheKeyFormat.fileName(forKey: $0) == name } ?? name.isHexadecimal(length: 40)
  }

  /// Access dates: the most urgent entries are the last to go.
  package func dates(of entry: FinishedEntry, rank: Int, at date: RunDate) -> FileDates? {
    FileDates(access: date.day.addingTimeInterval(-Double(rank)))
  }

  /// Beyond the limit in allocated bytes, what was read the longest ago (`DataCache.performSweep`, 10.0.0 to 13.2.0).
  package func victims(among files: [SweptFile], sizeLimit: Int, now: Date) -> [SweepVictim] {
    // Without a limit of its own a Nuke cache still has the library's.
    let limit = sizeLimit > 0 ? sizeLimit : DataCache.defaultSizeLimit
    return DataCache.victims(among: files.map(\.entry), sizeLimit: limit).map {
      (SweptFile(entry: $0), .size)
    }
  }

  package var sweepStamp: SweepStamp? {
    guard version.keepsSweepDate else { return nil }
    return (
      date: { store throws(FileStoreError) in try DataCacheInfo(readingFrom: store).lastSweepDate },
      stamp: { (DataCacheInfo.fileName, DataCacheInfo(lastSweepDate: $0).encoded) }
    )
  }
}
