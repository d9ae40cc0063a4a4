import Text

/// A released version of Nuke whose keys and files are written: 10.0.0 to 13.2.0.
///
/// Keys, lookups and policies changed within major versions too, so a job that says only `nuke 12`
/// means the newest 12 that is known here.
public struct NukeVersion: ClientVersion {
  public typealias ParseError = ClientVersionError<NukeVersion>

  public let major: Int
  public let minor: Int
  public let patch: Int

  public init(_ major: Int, _ minor: Int, _ patch: Int) {
    self.major = major
    self.minor = minor
    self.patch = patch
  }

  public static let client = "Nuke"
  public static let takesLaterPatches = false

  /// Nuke's CHANGELOG.md up to 13.2.0.
  public static let newestPatches: KeyValuePairs<Int, [Int]> = [
    10: [1, 0, 0, 4, 1, 2, 1, 2, 0, 0, 0, 2],
    11: [1, 1, 1, 1, 1, 3, 4],
    12: [0, 6, 0, 0, 0, 0, 0, 3, 0, 0],
    13: [6, 0, 0],
  ]
}
