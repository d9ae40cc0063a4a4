/// A released version of Kingfisher whose keys, names and dates are written: 5.0.0 to 8.11.0.
///
/// Names and rules changed within major versions too, so a job that says only `kingfisher 7` means the newest
/// 7 that is known here.
public struct KingfisherVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let major: Int
  public let minor: Int
  public let patch: Int

  /// A version known to exist at compile time.
  public init(_ major: Int, _ minor: Int, _ patch: Int) {
    self.major = major
    self.minor = minor
    self.patch = patch
  }

  public static func < (a: KingfisherVersion, b: KingfisherVersion) -> Bool {
    (a.major, a.minor, a.patch) < (b.major, b.minor, b.patch)
  }

  public var description: String { "\(major).\(minor).\(patch)" }
}
