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
  public static let newest: [NukeVersion] = newestPatches.map { major, patches in
    NukeVersion(major, patches.count - 1, patches.last ?? 0)
  }

  /// The newest patch of every minor version, by major (Nuke's CHANGELOG.md up to 13.2.0).
  static let newestPatches: KeyValuePairs<Int, [Int]> = [
    10: [1, 0, 0, 4, 1, 2, 1, 2, 0, 0, 0, 2],
    11: [1, 1, 1, 1, 1, 3, 4],
    12: [0, 6, 0, 0, 0, 0, 0, 3, 0, 0],
    13: [6, 0, 0],
  ]

  public static func < (a: NukeVersion, b: NukeVersion) -> Bool {
    (a.major, a.minor, a.patch) < (b.major, b.minor, b.patch)
  }

  public var description: String { "\(major).\(minor).\(patch)" }
}
