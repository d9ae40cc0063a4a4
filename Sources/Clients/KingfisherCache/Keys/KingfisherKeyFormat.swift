import Digests
import FileStore
import Foundation
import Text

/// How one version of Kingfisher, as one app has set it up, spells its cache keys and file names.
///
/// A base key (the URL's text, or what the app gives as `cacheKey`) and the identifier of a request's processor make
/// the computed key; the hash of that is the file's name. The scale factor, the serializer and the expiration enter
/// neither. Found by running the code of 18 tags, 5.0.0 to 8.11.0.
package struct KingfisherKeyFormat: Hashable, Sendable {
  /// How the app hands over its processors.
  package enum Style: String, Hashable, Sendable, CaseIterable {
    /// `.processor(a |> b)` among the options, or `setProcessor` of a builder: the identifiers as they are.
    case options
    /// The modifiers of `KF` and `KFImage` (since 6.0.0), which append to the default processor, so that the
    /// identifier begins with `|>`.
    case builder
  }

  package var version: KingfisherVersion
  package var style: Style
  package var naming: FileNaming

  package init(version: KingfisherVersion, style: Style = .options, naming: FileNaming = .usual) {
    self.version = version
    self.style = style
    self.naming = naming
  }

  /// `base`, or `base@identifier` where there is one.
  package func computedKey(baseKey: String, identifier: String) -> String {
    identifier.isEmpty ? baseKey : "\(baseKey)@\(identifier)"
  }

  package static let prefix = "com.onevcat.Kingfisher."

  /// `ImageProcessor.identifier` of a chain as the app composes it; empty for none and for the default alone.
  ///
  /// In builder style the chain is appended to the default processor. The modifier `downsampling(size:)` is the
  /// exception (since 6.0.0): where it comes first it replaces the default, unless `default` is spelled out
  /// before it.
  package func identifier(of calls: [ProcessorCall]) -> String {
    let context = KeyContext(release: Release(version))
    let identifiers = calls.map { ProcessorKey.all.key(of: $0, context) }
    let isWhole = calls.first.map { call in
      call.identifier == nil && ProcessorKey.starters.contains(call.name)
    }
    return (style == .builder && isWhole == false ? [""] + identifiers : identifiers).joined(separator: "|>")
  }

  /// Why this version has no key for a chain, in a sentence for people; nil where it has.
  ///
  /// The other functions never fail, so ask this first: for what the version cannot express they give text that no
  /// app will ever look up.
  package func unsupportedReason(_ calls: [ProcessorCall]) -> String? {
    let context = KeyContext(release: Release(version))
    return calls.lazy.filter { $0.identifier == nil }
      .compactMap { ProcessorKey.all.unsupportedReason($0, context) }.first
  }

  /// The key of a URL for which the app gives no `cacheKey`: the text that the app's `URL(string:)` holds, and for
  /// a file URL what this version makes of it (``localFileKey(of:)``). Empty where there is no such URL; Kingfisher
  /// loads nothing then.
  ///
  /// Nothing is normalised: letter case, default ports, dot segments and the order of a query all change the key.
  /// Text that is not a valid URL becomes what Foundation of iOS 17 and later makes of it; older systems have no URL.
  package func baseKey(url text: String) -> String {
    guard let held = URLText(text)?.text else { return "" }
    // Making a URL costs more than all the rest of a key, and few need it.
    guard version.hasLocalFileKeys, held.prefix(5).lowercased() == "file:", let url = URL(string: held) else {
      return held
    }
    return Self.localFileKey(of: url)
  }

  /// The key of an `ImageResource`, which for files is not always that of its URL: 7.1.x ignores a key of the app's
  /// own, and 7.2.0 makes the local key only of resources.
  package func resourceKey(url text: String, ownKey: String?) -> String {
    guard text.prefix(5).lowercased() == "file:" else { return ownKey ?? baseKey(url: text) }
    if let ownKey, !version.ignoresKeysOfFiles { return ownKey }
    guard version.hasLocalResourceKeys, let url = URLText(text).flatMap({ URL(string: $0.text) }) else {
      return baseKey(url: text)
    }
    return Self.localFileKey(of: url)
  }

  private static let localPrefix = "kingfisher.local.cacheKey/"

  /// Whether a key has the whole path of a file.
  package static func isLocal(_ key: String) -> Bool { key.utf8.starts(with: (localPrefix + "/").utf8) }

  /// The key of a file, the same after a reinstallation where the file lies in an app or an extension: its path
  /// from the last folder that ends in `.app` or `.appex`, percent-decoded, and its query as it is. Files elsewhere
  /// keep the whole path, and so the container's UUID.
  static func localFileKey(of url: URL) -> String {
    let components = url.pathComponents
    let start = components.lastIndex { $0.hasSuffix(".app") || $0.hasSuffix(".appex") } ?? 0
    return localPrefix + components[start...].joined(separator: "/")
      + (url.query.map { "?" + $0 } ?? "")
  }

  /// The names under which a computed key's bytes must lie in the cache folder, the one that is read first.
  ///
  /// That is one name, except for a forced extension in 8.1.0 to 8.8.1: those probe for a file without it and then read
  /// the one with it, and fail without downloading where only the former is there. So both must hold the bytes.
  ///
  /// - Throws: ``NotCacheable`` where this version can neither store nor find the key.
  package func fileNames(forComputedKey key: String) throws(NotCacheable) -> [String] {
    let isHashed = naming.isHashed || !version.hasPlainNames
    let stem =
      !isHashed ? key : version.hashesWithSHA256 ? SHA256.hexadecimal(of: key) : MD5.hexadecimal(of: key)
    var names: [String] = []
    if version.hasForcedExtension, let forced = naming.forcedExtension {
      names.append(Self.fileName(stem, forced))
    }
    if names.isEmpty || !version.probesForcedExtension {
      let ending = naming.pathExtension ?? (isHashed ? automaticExtension(of: key) : nil)
      let plain = ending.map { Self.fileName(stem, $0) } ?? stem
      if !names.contains(plain) { names.append(plain) }
    }
    for name in names where name.utf8.count > 255 || !FileStore.isFileName(name) || FileStore.isHidden(name) {
      throw NotCacheable(
        description:
          "its file name would be \"\(name.prefix(80))\" with \(name.utf8.count) bytes, and one that is empty or hidden, "
          + "leads into a sub-folder or has more than 255 bytes can be neither stored nor found; give the image an id "
          + "without a slash, whose only dot is that of a file extension")
    }
    return names
  }

  /// A slash at the end is lost where the name becomes a path.
  private static func fileName(_ stem: String, _ ending: String) -> String {
    "\(stem).\(ending.hasSuffix("/") ? ending.dropLast() : ending[...])"
  }

  /// What `autoExtAfterHashedFileName` takes from a computed key, in its three generations.
  func automaticExtension(of key: String) -> String? {
    guard naming.autoExtension, version.hasAutoExtension else { return nil }
    let found =
      version.cutsAutoExtensionFirst
      ? firstPart(key[...]).flatMap(textAfterLastDot) : textAfterLastDot(key[...]).flatMap(firstPart)
    guard let found, !found.isEmpty else { return nil }
    if version.limitsAutoExtension, found.count > 20 || !found.allSatisfy({ $0.isLetter || $0.isNumber }) {
      return nil
    }
    return String(found)
  }

  /// Up to the first `@`; empty parts do not count.
  private func firstPart(_ text: Substring) -> Substring? { text.split(separator: "@").first }

  private func textAfterLastDot(_ text: Substring) -> Substring? {
    text.lastIndex(of: ".").map { text[text.index(after: $0)...] }
  }
}

/// What an app has set that shows in the names of its cache files. By default a name is a bare hash.
package struct FileNaming: Hashable, Sendable {
  /// `DiskStorage.Config.pathExtension`, used as it is: `.jpg` gives two dots.
  package var pathExtension: String?
  /// `DiskStorage.Config.autoExtAfterHashedFileName` (since 6.3.0): the extension is taken from the key.
  package var autoExtension = false
  /// The request's `forcedCacheFileExtension` (since 8.1.0), which goes before the others.
  package var forcedExtension: String?
  /// `DiskStorage.Config.usesHashedFileName`. Without it (since 5.3.0) the computed key itself is the name, and no
  /// extension is taken from it.
  package var isHashed = true

  /// A bare hash.
  package static let usual = FileNaming()
}

/// Why a key has no file that Kingfisher could store or find, with what to do: a job gives a key by `id=`.
package struct NotCacheable: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String
}
