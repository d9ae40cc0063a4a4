/// A released version of an image library whose keys and files are written.
///
/// Keys and rules changed within major versions too, so a job that says only `12` means the newest 12 that is known.
public protocol ClientVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The library's name as people write it.
  static var client: String { get }
  /// The newest patch of every minor version, by major version in ascending order; the index is the minor.
  static var newestPatches: KeyValuePairs<Int, [Int]> { get }
  /// Whether a patch later than the table's is taken, because it cannot have changed a key.
  static var takesLaterPatches: Bool { get }

  var major: Int { get }
  var minor: Int { get }
  var patch: Int { get }

  /// A version known to exist at compile time. Text from people goes through ``init(parsing:)``.
  init(_ major: Int, _ minor: Int, _ patch: Int)
}

extension ClientVersion {
  public static func < (a: Self, b: Self) -> Bool {
    (a.major, a.minor, a.patch) < (b.major, b.minor, b.patch)
  }

  public var description: String { "\(major).\(minor).\(patch)" }

  /// The newest release of each major version that the keys were checked against.
  public static var newest: [Self] {
    newestPatches.map { major, patches in Self(major, patches.count - 1, patches.last ?? 0) }
  }

  /// The newest release that the keys were checked against.
  public static var latest: Self { newest.max() ?? oldest }

  /// The oldest release whose keys are known: the first of the first major version.
  public static var oldest: Self { Self(newestPatches.first?.key ?? 0, 0, 0) }
}
