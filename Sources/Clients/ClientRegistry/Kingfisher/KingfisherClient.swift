import ClientKit
import FileStore
import Foundation
import KingfisherCache
import Pictures
import Syntax
import Text

/// Kingfisher, 5.0.0 to 8.11.0: the disk cache of its `ImageCache`. A request has its own entry, and behind it the
/// original, which serves every processor (`KingfisherManager`).
package struct KingfisherClient: ImageClient {
  let format: KingfisherKeyFormat
  let defaultExpiry: EntryExpiry
  /// The app's serializer prefers original data.
  let keepsOriginalData: Bool
  /// The job says which way the app hands over its processors.
  let knowsStyle: Bool
  let last = LastReadings()

  package init(version: KingfisherVersion, values: SettingValues = SettingValues()) {
    format = KingfisherKeyFormat(
      version: version, style: values[KingfisherSettings.style], naming: KingfisherSettings.naming(values))
    defaultExpiry = values[KingfisherSettings.expires]
    keepsOriginalData = values[KingfisherSettings.originalData]
    knowsStyle = values.given(KingfisherSettings.style) != nil
  }

  package static let name = "kingfisher"

  /// The row of the registry.
  package static let library = ClientLibrary(
    name: name, versions: KingfisherVersion.self, settings: KingfisherSettings.rows,
    package: LibraryPackage("onevcat/Kingfisher", pod: "Kingfisher")
  ) { version, values in
    KingfisherClient(version: version, values: values)
  }

  package var identity: CacheClient { CacheClient(name: Self.name, release: Release(format.version)) }

  // MARK: Keys

  package func form(of chain: Chain, scale: Double) -> ChainForm {
    let own = suffix(of: chain.calls)
    let drawn = drawing(of: chain.calls, scale: scale)
    var others: [KeySuffix: String] = [:]
    // The commonest reason for a miss is the leading `|>` of `KF` and `KFImage`.
    if let (style, suffix) = otherStyle(of: chain.calls, own: own.text) {
      others[KeySuffix(part: own.part, suffix)] =
        "one made with style \(style) is: set the style to how the app builds its requests"
    }
    return ChainForm(
      scale: scale, dependsOnScale: drawn != drawing(of: chain.calls, scale: scale * 2), suffix: own,
      lookups: own == .original ? [own] : [own, .original], drawing: drawn, others: others,
      // `UIGraphicsBeginImageContextWithOptions`; since 7.0.0 the device decides.
      drawsInSRGB: format.version < KingfisherVersion(7, 0, 0))
  }

  /// The option `scaleFactor`, 5.0.0 to 8.11.0: 1 unless the app sets it, and always 1 on macOS.
  package func scale(ofKey base: String) -> PictureScale {
    .unknown(
      advice: "scale 3, or --scale 3, where the app sets .scaleFactor(UIScreen.main.scale); "
        + "scale 1 where it sets none, and on macOS")
  }

  /// An empty identifier is the default processor's: its entry is the original.
  func suffix(of calls: [ProcessorCall]) -> KeySuffix {
    let identifier = format.identifier(of: calls)
    guard !identifier.isEmpty else { return .original }
    // A builder begins with the default processor, whether it is named or not.
    let isNamed =
      format.style == .builder && calls.count > 1 && calls[0] == ProcessorCall(ProcessorKey.plain.name)
    return KeySuffix(
      processors: calls.count - (isNamed ? 1 : 0), format.computedKey(baseKey: "", identifier: identifier))
  }

  package func baseKey(url: String, options: RequestOptions, stripQuery: QueryNames) -> String {
    if let key = options.imageID { return key }
    // An app that leaves query items out gives the rest as the resource's `cacheKey`.
    let stripped = stripQuery.strip(url)
    return stripped == url ? format.baseKey(url: url) : stripped
  }

  package func names(ofKey key: String) -> EntryNames {
    ((try? format.fileNames(forComputedKey: key)) ?? [], [])
  }

  package func fault(ofKey key: String, base: String) -> String? {
    guard format.naming != .usual else { return nil }
    do throws(NotCacheable) {
      _ = try format.fileNames(forComputedKey: key)
      return nil
    } catch {
      return error.description
    }
  }

  package func unsupportedReason(_ chain: Chain) -> String? {
    // Style and names have been looked at where they are set.
    KingfisherKeyFormat(version: format.version).unsupportedReason(chain.calls)
  }

  // MARK: Storing and finding

  package var readOptions: [String: any WritableKeyPath<RequestOptions, Bool> & Sendable] {
    [
      "forceRefresh": \.noDiskRead, "onlyFromCache": \.offline, "ImagePrefetcher": \.readsOwnAlone,
      "fromMemoryCacheOrRefresh": format.version.refreshesOriginals ? \.noDiskRead : \.skipsOwn,
    ]
  }

  private static let readsNothing =
    "a request with forceRefresh (reload) or fromMemoryCacheOrRefresh (noDiskRead) takes nothing from the disk cache"

  private func lookups(_ form: ChainForm, _ options: RequestOptions) -> [KeySuffix] {
    if options.readsNothing { return [] }
    return form.lookups.filter { $0 == form.suffix ? !options.skipsOwn : !options.readsOwnAlone }
  }

  package func storage(
    of chain: Chain, form: ChainForm, sourceClass: Int, options: RequestOptions
  ) -> EntryStorage {
    let lookups = lookups(form, options)
    if options.noDiskWrite {
      return EntryStorage(
        entries: [], lookups: lookups, note: "noDiskWrite: as with cacheMemoryOnly, nothing is written")
    }
    let isOriginal = chain.isOriginal || form.suffix == .original || runsProcessorsOnHits
    var storage = EntryStorage(
      entries: [(form.suffix, isOriginal ? .original : .encoded)], lookups: lookups,
      note: options.readsNothing ? Self.readsNothing : nil)
    if !isOriginal { storage.animated = animated(form.suffix, options) }
    return storage
  }

  /// What `DefaultCacheSerializer` makes of a source: of an original that it prefers nothing else, and of a GIF the data of
  /// the animation, which no drawing carries on.
  private func animated(_ own: KeySuffix, _ options: RequestOptions) -> [AnimatedKind: AnimatedStorage] {
    if keepsOriginalData {
      let kept = AnimatedStorage(
        [(own, .original)], "with preferCacheOriginalData Kingfisher \(format.version) stores its own bytes")
      return Dictionary(uniqueKeysWithValues: AnimatedKind.allCases.map { ($0, kept) })
    }
    if options.encoding?.namesFormat == true { return [:] }
    let others = AnimatedStorage(
      [(own, .original)], "Kingfisher \(format.version) stores its own bytes, whatever processors made of it")
    let nothing = AnimatedStorage(
      [],
      "Kingfisher \(format.version) keeps what it draws of a GIF in memory alone; encode png stores a still")
    var storage = [AnimatedKind.gif: nothing, .stillGIF: nothing, .oddGIF: nothing]
    if format.version.keepsRareFormats { for kind in AnimatedKind.ofRarerFormats { storage[kind] = others } }
    return storage
  }

  /// What is found under a chain's key is processed again; what had been processed already would be so twice.
  private var runsProcessorsOnHits: Bool { keepsOriginalData && format.version.processesKeptOriginals }

  package func encoding(_ choice: EncodingChoice) -> OutputEncoding {
    // `DefaultCacheSerializer`: quality 1.0 for JPEG sources, PNG for the others.
    choice.output(usual: .likeSource(jpegQuality: 100))
  }

  package func finding(_ lookup: LookupReport) -> LookupFinding {
    let options = lookup.options
    if options.readsNothing || options.skipsOwn && lookup.steps.isEmpty {
      return (.miss, Self.readsNothing)
    }
    guard let own = lookup.steps.first else {
      return (
        .miss, "no file name can be made of this key: Kingfisher neither stores nor finds it"
      )
    }
    var why = "a request with fromMemoryCacheOrRefresh takes no entry of its own from the disk"
    if !options.skipsOwn {
      switch own.state {
      case .present where runsProcessorsOnHits && own.key != .original:
        return (.partial, "the request's own entry is there; the app runs its processor on it")
      case .present:
        return (.exact, "the request's own entry is there; it only has to be decoded")
      // Anything under the name is taken for the picture, and then nothing else is tried.
      case .empty:
        return (
          .miss, "the entry is empty: Kingfisher fails the request and does not download"
        )
      case .unreadable: return (.miss, "a folder, a link or a device has its name")
      case .absent, .expired: break
      }
      why = own.state == .expired ? "the entry has expired" : "the request's own entry is not there"
      if options.readsOwnAlone { why += ", and a prefetcher looks at nothing else" }
    }
    let hints = lookup.hints.map { "; \($0)" }.joined()
    if lookup.steps.count > 1 || options.skipsOwn, let original = lookup.steps.last {
      switch original.state {
      case .present:
        return (
          .partial, "\(why); the original is, and the app runs its processor on it" + hints
        )
      case .empty: return (.miss, "\(why), and the original is empty")
      case .expired: return (.miss, "\(why), and the original has expired")
      case .absent, .unreadable: break
      }
    }
    return (.miss, why + hints)
  }
}

/// Kingfisher's folder: names are digests, perhaps with an extension, and the modification date is the expiry
/// (`DiskStorage`, 5.0.0 and later).
extension KingfisherClient {
  package var folder: FolderRules {
    FolderRules(
      sweepsAtLimit: true, sweepKeeps: 0.5, expiry: defaultExpiry,
      eviction: .creationDate, readsProlong: true, sweepsSubfolders: true)
  }

  package func isName(_ name: String, ofKey key: String?) -> Bool {
    if let key { return isName(name, of: key) }
    guard format.naming.isHashed else { return !FileStore.isHidden(name) }
    return Substring(name.utf8.prefix { $0 != UInt8(ascii: ".") })
      .isHexadecimal(length: format.version >= KingfisherVersion(8, 0, 0) ? 64 : 32)
  }

  /// Extensions are the app's choice, which only its job knows.
  private func isName(_ name: String, of key: String) -> Bool {
    let plain = KingfisherKeyFormat(version: format.version)
    // The key itself is the name where names are not hashed.
    let stems = [try? plain.fileNames(forComputedKey: key).first, key]
    return stems.contains { stem in
      stem.map { name.hasBytes(of: $0) || name.utf8.starts(with: "\($0).".utf8) } ?? false
    }
  }

  /// Entries that were right already get the expiry that this run would give them, so that a nightly run keeps a cache
  /// alive without making anything again. The access date stands for the last use: the most urgent entries are used last,
  /// so that a sweep takes them last.
  package func dates(of entry: FinishedEntry, rank: Int, at date: RunDate) -> FileDates? {
    let start = date.start.timeIntervalSince1970.rounded(.down)
    return entry.expiry.map {
      FileDates(
        access: Date(timeIntervalSince1970: start - Double(rank)), modification: $0.date(from: date.start))
    }
  }

  /// What has expired, and then, where the content reaches the limit, what was used the longest ago, down to half of it
  /// (`DiskStorage`, 5.0.0 to 8.11.0).
  package func victims(among files: [SweptFile], sizeLimit: Int, now: Date) -> [SweepVictim] {
    func isExpired(_ file: SweptFile) -> Bool { !file.isFolder && file.entry.modificationDate <= now }
    let oldest = files.filter { !isExpired($0) }.oldest(
      { ($0.entry.lastUse, $0.path, $0.contentSize) }, where: { sizeLimit > 0 && $0 >= sizeLimit },
      until: { $0 <= sizeLimit / 2 })
    return files.filter(isExpired).map { ($0, .expired) } + oldest.map { ($0, .size) }
  }
}
