import ClientKit
import FileStore
import Foundation
import Pictures
import SDWebImageCache
import Syntax
import Text

/// SDWebImage, 5.0.0 to 5.21.7: the disk cache of its `SDImageCache`. A request has its own entry and, by the rules of
/// its release or of its options, the original beside it (`SDWebImageManager`).
package struct SDWebImageClient: ImageClient {
  let version: SDWebImageVersion
  let stores: CacheTypes
  /// What the app's requests do with animated images that have a transformer.
  let transforms: AnimatedTransform
  /// The app animates WebP.
  let animatesWebP: Bool
  let last = LastReadings()

  package init(version: SDWebImageVersion, values: SettingValues = SettingValues()) {
    self.version = version
    stores = CacheTypes(values, version)
    transforms = values[SDWebImageSettings.transformAnimated]
    animatesWebP = values[SDWebImageSettings.webpCoder]
  }

  package static let name = "sdwebimage"

  /// The row of the registry.
  package static let library = ClientLibrary(
    name: name, versions: SDWebImageVersion.self, settings: SDWebImageSettings.rows,
    package: LibraryPackage("SDWebImage/SDWebImage", "rs/SDWebImage", pod: "SDWebImage")
  ) { version, values in
    SDWebImageClient(version: version, values: values)
  }

  package var identity: CacheClient { CacheClient(name: Self.name, release: Release(version)) }

  // MARK: Keys

  package func form(of chain: Chain, scale: Double) -> ChainForm {
    let (own, original) = (suffix(of: chain.calls), original(of: chain))
    let drawn = drawing(of: chain.calls, scale: scale)
    let looksUpOriginal = own != original && stores.query.hasDisk
    var form = ChainForm(
      scale: scale, dependsOnScale: drawn != drawing(of: chain.calls, scale: scale * 2), suffix: own,
      lookups: looksUpOriginal ? [own, original] : [own], drawing: drawn,
      // The loader decoded into such a context up to 5.12.4; vImage's buffers for a blur are sRGB in every release.
      drawsInSRGB: Release(version) <= Release(5, 12, 4)
        || drawn.values.contains { $0 is RenderStep.BoxBlur })
    form.turnsByXMP = version.turnsByXMP
    return form
  }

  /// The marks as they follow one another; ``joinedKey(base:_:)`` puts them where they belong.
  func suffix(of calls: [ProcessorCall]) -> KeySuffix {
    if calls.isEmpty { return .original }
    let marks = calls.map { "-" + TransformerKey.all.key(of: $0, context) }
    let (thumbnail, transformers) = processorRows.parts(of: Chain(calls))
    return KeySuffix(hasThumbnail: thumbnail != nil, processors: transformers.count, marks.joined())
  }

  /// What a request takes for the original.
  private func original(of chain: Chain) -> KeySuffix {
    if version.hasOriginalsOfThumbnails { return .original }
    return suffix(of: processorRows.parts(of: chain).leading.map { [$0] } ?? [])
  }

  var context: KeyContext { KeyContext(release: Release(version)) }

  /// A thumbnail's mark comes first and is put in by itself; it ends with the first parenthesis that closes.
  package func joinedKey(base: String, _ suffix: KeySuffix) -> String? {
    var marks = suffix.text.utf8.dropFirst()
    guard !marks.isEmpty else { return nil }
    var key = base
    if suffix.part.hasPrefix("U+T"), let end = marks.firstIndex(of: UInt8(ascii: ")")) {
      key = SDImageCacheKey.transformed(key, by: String(Substring(marks[...end])))
      marks = marks[end...].dropFirst(2)
    }
    return marks.isEmpty ? key : SDImageCacheKey.transformed(key, by: String(Substring(marks)))
  }

  /// Readers of every release try the digest alone.
  package func names(ofKey key: String) -> EntryNames {
    guard !key.isEmpty else { return ([], []) }
    let name = SDImageCacheKey.fileName(forKey: key, version: version)
    let plain = SDImageCacheKey.nameWithoutExtension(forKey: key)
    return ([name], name == plain ? [] : [plain])
  }

  package func fault(ofKey key: String, base: String) -> String? {
    if key != base, SDImageCacheKey.isFileWithExtension(base) {
      return
        "the mark of a thumbnail or a transformer goes into a file's URL in a way that differs between systems; "
        + "give the key that a cacheKeyFilter returns: id=TEXT"
    }
    let name = SDImageCacheKey.fileName(forKey: key, version: version)
    if name.utf8.contains(0) { return "the extension of its file name holds a NUL" }
    return name.utf8.count > 255
      ? "its file name has \(name.utf8.count) bytes, and file systems take 255" : nil
  }

  package func unsupportedReason(_ chain: Chain) -> String? {
    if let reason = chain.calls.lazy.compactMap({ TransformerKey.unsupportedReason($0, context) }).first {
      return reason
    }
    let (thumbnail, transformers) = processorRows.parts(of: chain)
    return thumbnail == nil || transformers.isEmpty || version.joinsMarks
      ? nil
      : "SDWebImage \(version) leaves the thumbnail out of the key of a request that has transformers, too, so one that is "
        + "made here may be another request's; 5.7.0 and later do not"
  }

  /// A picture's scale is 1 unless its key or the request's `imageScaleFactor` says another one.
  package func scale(ofKey base: String) -> PictureScale { .known(SDImageCacheKey.scale(ofKey: base) ?? 1) }

  // MARK: Storing and finding

  package func storage(
    of chain: Chain, form: ChainForm, sourceClass: Int, options: RequestOptions
  ) -> EntryStorage {
    let lookups = options.noDiskRead ? [] : form.lookups
    if options.noDiskWrite {
      return EntryStorage(
        entries: [], lookups: lookups, note: "noDiskWrite: as with storeCacheType memory, nothing is written")
    }
    var entries: [EntryRule] = []
    let original = original(of: chain)
    let isOriginal = form.suffix == original
    if stores.result.hasDisk || isOriginal && version.storesUntransformed && stores.original.hasDisk {
      entries.append((form.suffix, isOriginal || chain.isOriginal ? .original : .encoded))
    }
    if !isOriginal, stores.original.hasDisk { entries.append((original, .original)) }
    var storage = EntryStorage(entries: entries, lookups: lookups, note: note(entries, form, options))
    if form.suffix != .original, !chain.isOriginal {
      for kind in AnimatedKind.allCases {
        storage.animated[kind] = animated(kind, chain, form, entries, options)
      }
    }
    return storage
  }

  private func note(_ entries: [EntryRule], _ form: ChainForm, _ options: RequestOptions) -> String? {
    if options.readsNothing { return Self.readsNothing }
    if entries.isEmpty { return "with these cache types a request stores nothing on disk" }
    return entries.contains { form.lookups.contains($0.key) }
      ? nil : "a request stores this and never looks for it: original-query-cache-type is \(stores.query)"
  }

  package var readOptions: [String: any WritableKeyPath<RequestOptions, Bool> & Sendable] {
    ["fromLoaderOnly": \.noDiskRead, "fromCacheOnly": \.offline]
  }

  private static let readsNothing =
    "a request with fromLoaderOnly (noDiskRead) never looks in the disk cache"

  package func encoding(_ choice: EncodingChoice) -> OutputEncoding {
    // `SDImageIOCoder` at `SDImageCoderEncodeCompressionQuality` 1.0, in the format that the image came in. What that
    // cannot hold is PNG: transparency, and formats that are only read.
    choice.output(usual: .likeSource(jpegQuality: 100))
  }

  package func finding(_ lookup: LookupReport) -> LookupFinding {
    if lookup.options.readsNothing { return (.miss, Self.readsNothing) }
    guard let own = lookup.steps.first else {
      return (.miss, "the key is empty: SDWebImage neither stores nor finds it")
    }
    let why: String
    switch own.state {
    case .present: return (.exact, "the request's own entry is there; it only has to be decoded")
    case .empty: why = "the request's own entry is empty and cannot be decoded"
    case .unreadable: why = "a folder, a link or a device has the name of the request's own entry"
    case .absent, .expired: why = "the request's own entry is not there"
    }
    if lookup.steps.dropFirst().contains(where: { $0.state == .present }) {
      return (.partial, "\(why); the original is, and the app makes the rest of it")
    }
    if !lookup.steps.contains(where: { $0.key == .original }), lookup.original == .present {
      let cause =
        stores.query.hasDisk
        ? "SDWebImage \(version) does not look at it for a thumbnail"
        : "by its original query cache type the request does not look at it"
      return (.miss, "\(why); the original is, and \(cause)")
    }
    return (.miss, why)
  }
}

/// SDWebImage's folder: names are MD5 digests with the key's extension. A date is an entry's age, not its expiry: the
/// access date since 5.20.0, before it the modification date (`SDDiskCache`, 5.0.0 and later).
extension SDWebImageClient {
  package var folder: FolderRules {
    FolderRules(countsBlocks: true, sweepKeeps: 0.5, sweepsSubfolders: true)
  }

  package func isName(_ name: String, ofKey key: String?) -> Bool {
    if let names = key.map(names(ofKey:)) {
      return (names.files + names.fallbacks).contains { $0.utf8.elementsEqual(name.utf8) }
    }
    let digest = Substring(name.utf8.prefix { $0 != UInt8(ascii: ".") })
    // A dot that ends the name begins no extension.
    return digest.isHexadecimal(length: 32) && name.utf8.count != 33
  }

  /// The date that is an entry's age: the most urgent entries are the youngest, so that a clean-up takes them last. It
  /// lies ahead, since a read asks for none. Both dates are set: an app may take another release, or another date.
  package func dates(of entry: FinishedEntry, rank: Int, at date: RunDate) -> FileDates? {
    let age = date.day.addingTimeInterval(FolderRules.grace - Double(rank))
    return FileDates(access: age, modification: age)
  }

  /// What an app's clean-up at its defaults removes (`removeExpiredData`, 5.0.0 to 5.21.5): what is older than a week, and
  /// then, where the rest takes more than the limit, the oldest until it takes less than half of that.
  package func victims(among files: [SweptFile], sizeLimit: Int, now: Date) -> [SweepVictim] {
    func date(_ file: SweptFile) -> Date {
      version.agesByAccess ? file.entry.accessDate : file.entry.modificationDate
    }
    let week: TimeInterval = 7 * 86_400
    let files = files.filter { !$0.isFolder }
    func isExpired(_ file: SweptFile) -> Bool { date(file) <= now.addingTimeInterval(-week) }
    let exceeding = files.filter { !isExpired($0) }.oldest(
      { (date($0), $0.path, $0.entry.allocatedSize) }, where: { sizeLimit > 0 && $0 > sizeLimit },
      until: { $0 < sizeLimit / 2 })
    return files.filter(isExpired).map { ($0, .expired) } + exceeding.map { ($0, .size) }
  }
}
