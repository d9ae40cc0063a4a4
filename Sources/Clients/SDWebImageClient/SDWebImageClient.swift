import ClientKit
import Foundation
import Pictures
import SDWebImageCache
import Settings
import Syntax
import Text

/// SDWebImage, 5.0.0 to 5.21.5: the disk cache of its `SDImageCache`. A request has its own entry and, by the rules of
/// its release or of its options, the original beside it (`SDWebImageManager`).
package struct SDWebImageClient: ImageClient {
  let version: SDWebImageVersion
  let stores: CacheTypes

  package init(version: SDWebImageVersion, values: SettingValues = SettingValues()) {
    self.version = version
    stores = CacheTypes(values, version)
  }

  package static let name = "sdwebimage"

  /// The row of the registry.
  package static let library = ClientLibrary(
    name: name, versions: SDWebImageVersion.self, settings: SDWebImageSettings.rows, conditions: conditions
  ) { version, values in
    SDWebImageClient(version: version, values: values)
  }

  package var identity: CacheClient { CacheClient(name: Self.name, release: Release(version)) }

  // MARK: Keys

  package func form(of chain: Chain, scale: Double) -> ChainForm {
    let calls = chain.calls
    let own = suffix(of: calls)
    func drawing(_ scale: Double) -> ChainForm.Drawing {
      processorRows.drawing(
        of: calls, DrawingContext(release: Release(version), scale: scale), example: processorExample)
    }
    let drawn = drawing(scale)
    let looksUpOriginal = own != .original && stores.queriesOriginal
    return ChainForm(
      scale: scale, dependsOnScale: drawn != drawing(scale * 2), suffix: own,
      lookups: looksUpOriginal ? [own, .original] : [own], drawing: drawn,
      // The loader decoded into such a context up to 5.12.4; vImage's buffers for a blur are sRGB in every release.
      drawsInSRGB: Release(version) <= Release(5, 12, 4)
        || drawn.values.contains { $0 is RenderStep.BoxBlur })
  }

  /// The marks as they follow one another; ``joinedKey(base:_:)`` puts them where they belong.
  func suffix(of calls: [ProcessorCall]) -> KeySuffix {
    guard let first = calls.first else { return .original }
    let hasThumbnail = processorRows.isLeading(first)
    let count = calls.count - (hasThumbnail ? 1 : 0)
    let parts = (hasThumbnail ? ["T"] : []) + (0..<count).map { "p\($0 + 1)" }
    let marks = calls.map { "-" + TransformerKey.all.key(of: $0, context) }
    return KeySuffix(part: (["U"] + parts).joined(separator: "+"), marks.joined())
  }

  private var context: KeyContext { KeyContext(release: Release(version)) }

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

  /// What a `cacheKeyFilter` returns is the whole key, so both `id=` and `strip-query` are one.
  package func baseKey(url: String, options: RequestOptions, stripQuery: [QueryPattern]) -> String {
    options.imageID ?? (stripQuery.isEmpty ? url : stripQuery.strip(url))
  }

  /// Readers of every release try the digest alone.
  package func names(ofKey key: String) -> EntryNames {
    guard !key.isEmpty else { return EntryNames([]) }
    let name = SDImageCacheKey.fileName(forKey: key, version: version)
    let plain = SDImageCacheKey.nameWithoutExtension(forKey: key)
    return EntryNames([name], fallbacks: name == plain ? [] : [plain])
  }

  package func fault(ofKey key: String, base: String) -> String? {
    if key != base, SDImageCacheKey.isFileWithExtension(base) {
      return
        "the mark of a thumbnail or a transformer goes into a file's URL in a way that differs between systems; "
        + "give the key that a cacheKeyFilter returns: id=TEXT"
    }
    let name = SDImageCacheKey.fileName(forKey: key, version: version)
    if name.utf8.contains(0) { return "the extension of its file name holds a NUL" }
    let longest = 255
    return name.utf8.count > longest
      ? "its file name has \(name.utf8.count) bytes, and file systems take \(longest)" : nil
  }

  package func unsupportedReason(_ chain: Chain) -> String? {
    chain.calls.lazy.compactMap { TransformerKey.unsupportedReason($0, context) }.first
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
    if stores.result.hasDisk {
      entries.append(EntryRule(form.suffix, form.suffix == .original ? .original : .encoded))
    }
    if form.suffix != .original, stores.original.hasDisk { entries.append(EntryRule(.original, .original)) }
    return EntryStorage(entries: entries, lookups: lookups, note: note(entries, form, options))
  }

  private func note(_ entries: [EntryRule], _ form: ChainForm, _ options: RequestOptions) -> String? {
    if options.noDiskRead { return Self.readsNothing }
    if entries.isEmpty { return "with these cache types a request stores nothing on disk" }
    return entries.contains { form.lookups.contains($0.key) }
      ? nil : "a request stores this and never looks for it: original-query-cache-type is \(stores.query)"
  }

  private static let readsNothing =
    "a request with fromLoaderOnly (noDiskRead) never looks in the disk cache"

  package func encoding(_ choice: EncodingChoice) -> OutputEncoding {
    // `SDImageIOCoder` at `SDImageCoderEncodeCompressionQuality` 1.0, in the format that the image came in. What that
    // cannot hold is PNG: transparency, and formats that are only read.
    choice.output(usual: .likeSource(jpegQuality: 100))
  }

  package func finding(_ lookup: LookupReport) -> LookupFinding {
    if lookup.options.noDiskRead { return LookupFinding(.miss, Self.readsNothing) }
    guard let own = lookup.steps.first else {
      return LookupFinding(.miss, "the key is empty: SDWebImage neither stores nor finds it")
    }
    let why: String
    switch own.state {
    case .present: return LookupFinding(.exact, "the request's own entry is there; it only has to be decoded")
    case .empty: why = "the request's own entry is empty and cannot be decoded"
    case .unreadable: why = "a folder, a link or a device has the name of the request's own entry"
    case .absent, .expired: why = "the request's own entry is not there"
    }
    if lookup.steps.dropFirst().contains(where: { $0.state == .present }) {
      return LookupFinding(.partial, "\(why); the original is, and the app makes the rest of it")
    }
    if own.key != .original, lookup.steps.count == 1, lookup.original == .present {
      return LookupFinding(
        .miss, "\(why); the original is, and by its original query cache type the request does not look at it"
      )
    }
    return LookupFinding(.miss, why)
  }
}
