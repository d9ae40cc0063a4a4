import Text

/// A released version of Kingfisher whose keys, names and dates are written: 5.0.0 to 8.11.0.
///
/// Names and rules changed within major versions too, so a job that says only `kingfisher 7` means the newest
/// 7 that is known here.
public struct KingfisherVersion: ClientVersion {
  public typealias ParseError = ClientVersionError<KingfisherVersion>

  public let major: Int
  public let minor: Int
  public let patch: Int

  public init(_ major: Int, _ minor: Int, _ patch: Int) {
    self.major = major
    self.minor = minor
    self.patch = patch
  }

  public static let client = "Kingfisher"

  /// The only patch release that changed a key is 7.2.1; so one that is missing below does no harm.
  public static let takesLaterPatches = true

  public static let newestPatches: KeyValuePairs<Int, [Int]> = [
    5: [1, 1, 0, 1, 0, 0, 0, 1, 3, 0, 1, 0, 0, 4, 1, 8],
    6: [1, 1, 1, 1],
    7: [0, 2, 4, 2, 1, 0, 2, 0, 1, 1, 2, 0, 0],
    8: [3, 4, 0, 3, 0, 0, 2, 0, 1, 0, 0, 0],
  ]
}
