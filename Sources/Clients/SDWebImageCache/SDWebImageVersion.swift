import Text

// For the members of a version, and for the error of its `init(parsing:)`.
@_exported import protocol Text.ClientVersion
@_exported import struct Text.ClientVersionError

/// A released version of SDWebImage whose keys, names and rules are written: 5.0.0 to 5.21.7.
public struct SDWebImageVersion: ClientVersion {
  /// The three numbers of the release.
  public let major, minor, patch: Int

  /// A release by its three numbers; not checked. Text is read with `init(parsing:)`.
  public init(_ major: Int, _ minor: Int, _ patch: Int) {
    (self.major, self.minor, self.patch) = (major, minor, patch)
  }

  /// The library's name in messages.
  public static let client = "SDWebImage"

  /// The tags of SDWebImage's repository: by major version the newest patch of each minor version.
  public static let newestPatches: KeyValuePairs<Int, [Int]> = [
    5: [6, 1, 5, 4, 3, 2, 1, 4, 4, 5, 4, 1, 6, 5, 3, 8, 0, 0, 12, 7, 1, 7]
  ]
}

/// What changed when, as far as it alters keys, files or lookups. Facts: SDWebImage's source at the tags named.
extension SDWebImageVersion {
  /// A request can store the original beside what was made of it.
  package var storesOriginalsOnRequest: Bool { self >= SDWebImageVersion(5, 1, 0) }
  /// A key has the thumbnail's mark and the transformer's. Before, a transformer's took the place of the other (#2966).
  package var joinsMarks: Bool { self >= SDWebImageVersion(5, 7, 0) }
  /// A request can look the original up where its own entry is missing.
  package var queriesOriginalsOnRequest: Bool { self >= SDWebImageVersion(5, 8, 0) }
  /// Originals are stored and looked up unless a request says otherwise.
  package var usesOriginals: Bool { self >= SDWebImageVersion(5, 11, 1) }
  /// The original of a thumbnail is at the URL's key; before, only the transformer's mark was left out of that.
  package var hasOriginalsOfThumbnails: Bool { self >= SDWebImageVersion(5, 13, 0) }
  /// A thumbnail is encoded again with all its frames; before, the own bytes were stored under its key.
  package var encodesThumbnails: Bool { self >= SDWebImageVersion(5, 13, 0) }
  /// A picture that no transformer changed is stored twice: by `originalStoreCacheType` under the URL's key, and by
  /// `storeCacheType` under the request's own, which without a transformer is the same.
  package var storesUntransformed: Bool { self >= SDWebImageVersion(5, 14, 0) }
  /// An image of several frames that comes without data is encoded with all of them (#2953); before, as a still.
  package var encodesFrames: Bool { self >= SDWebImageVersion(5, 6, 0) }
  /// A picture is turned as ImageIO says, which reads its metadata too; before, by EXIF (#3597).
  package var turnsByXMP: Bool { self >= SDWebImageVersion(5, 19, 6) }
  /// NUL and colons are taken out of a name's extension, and a URL without a path leaves the extension to the text.
  var cleansExtensions: Bool { self >= SDWebImageVersion(5, 19, 7) }
  /// A thumbnail that is made of an original on disk is reported to replace the original in memory (#3866).
  package var confusesThumbnails: Bool { self >= SDWebImageVersion(5, 21, 7) }
  /// The access date is an entry's age, and each read sets it; before, it was the modification date.
  package var agesByAccess: Bool { self >= SDWebImageVersion(5, 20, 0) }
}
