import Text

// For the members of a version, and for the error of its `init(parsing:)`.
@_exported import protocol Text.ClientVersion
@_exported import struct Text.ClientVersionError

/// A released version of Kingfisher whose keys, names and dates are written: 5.0.0 to 8.11.0.
///
/// Names and rules changed within major versions too, so a job that says only `kingfisher 7` means the newest
/// 7 that is known here.
public struct KingfisherVersion: ClientVersion {
  /// The three numbers of the release.
  public let major, minor, patch: Int

  /// A release by its three numbers; not checked. Text is read with `init(parsing:)`.
  public init(_ major: Int, _ minor: Int, _ patch: Int) {
    (self.major, self.minor, self.patch) = (major, minor, patch)
  }

  /// The library's name in messages.
  public static let client = "Kingfisher"

  /// The tags of Kingfisher's repository: by major version the newest patch of each minor version.
  public static let newestPatches: KeyValuePairs<Int, [Int]> = [
    5: [1, 1, 0, 1, 0, 0, 0, 1, 3, 0, 1, 0, 0, 4, 1, 8],
    6: [1, 1, 1, 1],
    7: [0, 2, 4, 2, 1, 0, 2, 0, 1, 1, 2, 0, 0],
    8: [3, 4, 0, 3, 0, 0, 2, 0, 1, 0, 0, 0],
  ]
}

/// What changed when, as far as it alters keys and names. Each was found by running Kingfisher's own code at its tags.
extension KingfisherVersion {
  /// Names that are keys, not digests.
  package var hasPlainNames: Bool { self >= KingfisherVersion(5, 3, 0) }
  /// Of a format other than JPEG, PNG and GIF the serializer takes the source's own bytes.
  package var keepsRareFormats: Bool { self < KingfisherVersion(5, 3, 0) }
  /// `preferCacheOriginalData`.
  package var keepsOriginalData: Bool { self >= KingfisherVersion(5, 13, 0) }
  /// `KF` and the modifiers of `KFImage`.
  package var hasBuilders: Bool { self >= KingfisherVersion(6, 0, 0) }
  /// `KFImage.url(_:cacheKey:)` loads the URL under its own key; `KF.url(_:cacheKey:)` does not.
  package var dropsKeysOfViews: Bool { hasBuilders && self < KingfisherVersion(6, 1, 1) }
  package var hasAutoExtension: Bool { self >= KingfisherVersion(6, 3, 0) }
  /// File URLs have keys that outlive a reinstallation: since 7.1.0, except for 7.2.0.
  var hasLocalFileKeys: Bool { self >= KingfisherVersion(7, 1, 0) && self != KingfisherVersion(7, 2, 0) }
  /// A key that an `ImageResource` of a file is given does not count; the file's own does.
  var ignoresKeysOfFiles: Bool {
    self >= KingfisherVersion(7, 1, 0) && self < KingfisherVersion(7, 2, 0)
  }
  /// Resources and providers of files without a key have local ones: in 7.2.0 they alone.
  var hasLocalResourceKeys: Bool { self >= KingfisherVersion(7, 1, 0) }
  /// The automatic extension comes from what stands before the key's first `@`.
  var cutsAutoExtensionFirst: Bool { self >= KingfisherVersion(7, 12, 0) }
  /// Names are SHA-256 instead of MD5.
  var hashesWithSHA256: Bool { self >= KingfisherVersion(8, 0, 0) }
  package var hasForcedExtension: Bool { self >= KingfisherVersion(8, 1, 0) }
  /// The probe that goes before reading a file knows the forced extension.
  var probesForcedExtension: Bool { self >= KingfisherVersion(8, 9, 0) }
  /// The automatic extension is short and alphanumeric, or there is none.
  var limitsAutoExtension: Bool { self >= KingfisherVersion(8, 11, 0) }
}

/// What changed when in how a cache is read, as far as its library here follows it. Facts: Kingfisher's source at
/// the tags named, run on Linux.
extension KingfisherVersion {
  /// `fromMemoryCacheOrRefresh` keeps from originals on disk, too.
  package var refreshesOriginals: Bool { self >= KingfisherVersion(5, 10, 1) }
  /// A processor runs again on what is found under its key, where the serializer keeps original data.
  package var processesKeptOriginals: Bool { self >= KingfisherVersion(7, 4, 1) }
}
