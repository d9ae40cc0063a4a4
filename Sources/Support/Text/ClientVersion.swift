import Foundation

/// A released version of an image library whose keys and files are written.
///
/// Keys and rules changed within major versions too, so a job that says only `12` means the newest 12 that is known.
public protocol ClientVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The library's name as people write it.
  static var client: String { get }
  /// The newest patch of every minor version, by major version in ascending order; the index is the minor.
  static var newestPatches: KeyValuePairs<Int, [Int]> { get }
  /// Major versions of these that are not released, with the pre-release that what is known of them comes from.
  static var candidates: [Int: String] { get }

  /// The first number of the release.
  var major: Int { get }
  /// The second number of the release.
  var minor: Int { get }
  /// The third number of the release.
  var patch: Int { get }

  /// A version known to exist at compile time. Text from people goes through `init(parsing:)`.
  init(_ major: Int, _ minor: Int, _ patch: Int)
}

extension ClientVersion {
  /// None.
  public static var candidates: [Int: String] { [:] }

  /// By the three numbers, one after another.
  public static func < (a: Self, b: Self) -> Bool {
    (a.major, a.minor, a.patch) < (b.major, b.minor, b.patch)
  }

  /// The three numbers with dots: `12.9.0`.
  public var description: String { "\(major).\(minor).\(patch)" }

  /// The newest release that the keys were checked against.
  public static var latest: Self {
    newestPatches.last { candidates[$0.key] == nil }.map { major, patches in
      Self(major, patches.count - 1, patches.last ?? 0)
    } ?? oldest
  }

  /// The oldest release whose keys are known: the first of the first major version.
  public static var oldest: Self { Self(newestPatches.first?.key ?? 0, 0, 0) }
}

/// Why the text of a version cannot be used.
public struct ClientVersionError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
  /// A phrase for people, with the versions that are known.
  public let description: String

  fileprivate init(_ description: String) { self.description = description }

  /// The text of `localizedDescription`.
  public var errorDescription: String? { description }
}

extension ClientVersion {
  /// Reads `12` (the newest 12 known), `12.1` (the newest 12.1 known), `12.5.0` or `14.0.0-rc.1`, which is taken for the
  /// release that it leads to. A later patch or minor version has the rules of the newest one known before it.
  public init(parsing text: String) throws(ClientVersionError) {
    let numbers = ReleaseText(text)?.numbers ?? []
    guard !numbers.isEmpty || text == "main" || text == "master" else {
      throw ClientVersionError(
        "\"\(text)\" is not a version of \(Self.client); expected a major version such as \(Self.latest.major) "
          + "or a release such as \(Self.latest)")
    }
    let named = "\(Self.client) \(text)"
    if let major = numbers.first, major < Self.oldest.major {
      throw ClientVersionError(
        "\(named) is not supported: its cache keys differ; the oldest supported is \(Self.oldest)")
    }
    guard let (major, patches) = Self.newestPatches.first(where: { $0.key == numbers.first }) else {
      throw ClientVersionError(
        "\(named) is not a release that is known here, and its cache keys may still change; "
          + "the newest known is \(Self.latest)")
    }
    let minor = numbers.count > 1 ? numbers[1] : patches.count - 1
    let newest = patches.indices.contains(minor) ? patches[minor] : 0
    self.init(major, minor, numbers.count > 2 ? numbers[2] : newest)
  }
}

/// The text of a version by SemVer 2.0.0, whose last two numbers may be missing.
package struct ReleaseText {
  package var numbers: [Int]
  /// `rc.1` of `14.0.0-rc.1`; empty for a release.
  package var prerelease: Substring

  /// Nil for any other text: numbers have no sign and no leading zero, and only a whole version has a pre-release.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    let fields = (parts.first ?? "").split(separator: ".", omittingEmptySubsequences: false)
    numbers = fields.compactMap(Self.number)
    prerelease = parts.count > 1 ? parts[1] : ""
    guard numbers.count == fields.count, (1...3).contains(numbers.count) else { return nil }
    let names = prerelease.split(separator: ".", omittingEmptySubsequences: false)
    let isSpelled = names.allSatisfy { name in
      !name.isEmpty && name.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
    }
    guard parts.count == 1 || numbers.count == 3 && isSpelled else { return nil }
  }

  private static func number(_ text: Substring) -> Int? {
    guard text.utf8.count < 10, text.utf8.allSatisfy(\.isDigit) else { return nil }
    return text.utf8.count > 1 && text.utf8.first == UInt8(ascii: "0") ? nil : Int(text)
  }
}

/// A release's number, whatever the library.
package struct Release: Hashable, Comparable, Sendable, CustomStringConvertible {
  package var major: Int
  package var minor: Int
  package var patch: Int

  package init(_ major: Int, _ minor: Int, _ patch: Int) {
    self.major = major
    self.minor = minor
    self.patch = patch
  }

  package init(_ version: some ClientVersion) { self.init(version.major, version.minor, version.patch) }

  package var description: String { "\(major).\(minor).\(patch)" }

  package static func < (a: Release, b: Release) -> Bool {
    (a.major, a.minor, a.patch) < (b.major, b.minor, b.patch)
  }
}
