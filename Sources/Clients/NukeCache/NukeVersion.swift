import Text

// For the members of a version, and for the error of its `init(parsing:)`.
@_exported import protocol Text.ClientVersion
@_exported import struct Text.ClientVersionError

/// A version of Nuke whose keys and files are written: 10.0.0 to 13.2.3, and 14 as far as its release candidate is public.
///
/// Keys, lookups and policies changed within major versions too, so a job that says only `nuke 12`
/// means the newest 12 that is known here.
public struct NukeVersion: ClientVersion {
  /// The three numbers of the release.
  public let major, minor, patch: Int

  /// A release by its three numbers; not checked. Text is read with `init(parsing:)`.
  public init(_ major: Int, _ minor: Int, _ patch: Int) {
    (self.major, self.minor, self.patch) = (major, minor, patch)
  }

  /// The library's name in messages.
  public static let client = "Nuke"

  /// Nuke's CHANGELOG.md up to 13.2.0, its release notes up to 13.2.3 and 14.0.0-rc.1.
  public static let newestPatches: KeyValuePairs<Int, [Int]> = [
    10: [1, 0, 0, 4, 1, 2, 1, 2, 0, 0, 0, 2],
    11: [1, 1, 1, 1, 1, 3, 4],
    12: [0, 6, 0, 0, 0, 0, 0, 3, 0, 0],
    13: [6, 0, 3], 14: [0],
  ]

  /// Of 14.0.0-rc.1 the pull requests and a part of the sources are public.
  public static let candidates = [14: "14.0.0-rc.1"]
}

/// What changed when, as far as it alters keys, stored entries or lookups. Each was found by running
/// Nuke's own code at its tags; few of them stand in Nuke's change log.
extension NukeVersion {
  // Keys (the rest stands in ``ProcessorKey``)

  /// Target sizes are held as two Floats.
  var hasFloatSizes: Bool { self >= NukeVersion(13, 0, 0) }

  // Storing

  var storesEncodedImagesOfLocalResources: Bool { self >= NukeVersion(12, 9, 0) }
  /// An original no longer has the thumbnail in its key, and a thumbnail counts as processed.
  var separatesThumbnails: Bool { self >= NukeVersion(12, 6, 0) }
  /// What was made of an entry from earlier in the chain is stored as well; later nothing is that came from the disk.
  package var storesResultsOfEntries: Bool { self < NukeVersion(12, 6, 0) }
  var ignoresCaseOfSchemes: Bool { self >= NukeVersion(13, 2, 0) }
  /// `disableDiskCacheWrites` holds for encoded images too (#1008).
  var asksBeforeStoringEncodedImages: Bool { self >= NukeVersion(13, 2, 1) }
  /// A GIF with processors or a thumbnail is not stored since #958; whether the release does so is not known.
  package var mayDropProcessedGIFs: Bool { self >= NukeVersion(14, 0, 0) }

  // Looking up

  /// Between the whole chain and the original, the results of fewer processors are looked up too.
  var looksUpIntermediates: Bool { self >= NukeVersion(12, 6, 0) }
  /// A thumbnail request falls back to the original.
  var looksUpOriginalsOfThumbnails: Bool { self >= NukeVersion(13, 0, 0) }
}
