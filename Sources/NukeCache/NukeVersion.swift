/// A released version of Nuke whose keys and files are written: 10.0.0 to 13.2.0.
///
/// Keys, lookups and policies changed within major versions too, so a job that says only `nuke 12`
/// means the newest 12 that is known here.
public struct NukeVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let major: Int
  public let minor: Int
  public let patch: Int

  /// A version known to exist at compile time. Text from people goes through ``init(parsing:)``.
  public init(_ major: Int, _ minor: Int, _ patch: Int) {
    self.major = major
    self.minor = minor
    self.patch = patch
  }

  /// The newest release of each major version that the keys were checked against.
  public static let newest: [NukeVersion] = [
    NukeVersion(10, 11, 2), NukeVersion(11, 6, 4), NukeVersion(12, 9, 0), NukeVersion(13, 2, 0),
  ]

  public static func < (a: NukeVersion, b: NukeVersion) -> Bool {
    (a.major, a.minor, a.patch) < (b.major, b.minor, b.patch)
  }

  public var description: String { "\(major).\(minor).\(patch)" }
}
