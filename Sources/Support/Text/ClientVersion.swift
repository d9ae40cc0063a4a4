import Foundation

/// A released version of an image library whose keys and files are written.
///
/// Keys and rules changed within major versions too, so a job that says only `12` means the newest 12 that is known.
public protocol ClientVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The library's name as people write it.
  static var client: String { get }
  /// The newest patch of every minor version, by major version in ascending order; the index is the minor.
  static var newestPatches: KeyValuePairs<Int, [Int]> { get }

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
  /// By the three numbers, one after another.
  public static func < (a: Self, b: Self) -> Bool {
    (a.major, a.minor, a.patch) < (b.major, b.minor, b.patch)
  }

  /// The three numbers with dots: `12.9.0`.
  public var description: String { "\(major).\(minor).\(patch)" }

  /// The newest release that the keys were checked against.
  public static var latest: Self {
    newestPatches.last.map { major, patches in Self(major, patches.count - 1, patches.last ?? 0) } ?? oldest
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
  /// Reads `12` (the newest 12 known), `12.1` (the newest 12.1 known) or `12.5.0`. A later patch of a known minor version
  /// has the rules of the newest one known.
  public init(parsing text: String) throws(ClientVersionError) {
    let fields = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = fields.compactMap(Self.number)
    let isBranch = text == "main" || text == "master"
    guard isBranch || numbers.count == fields.count && (1...3).contains(numbers.count) else {
      throw ClientVersionError(
        "\"\(text)\" is not a version of \(Self.client); expected a major version such as \(Self.latest.major) "
          + "or a release such as \(Self.latest) (pre-releases and branches are not supported)")
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
    let lastMinor = patches.count - 1
    let minor = numbers.count > 1 ? numbers[1] : lastMinor
    guard minor <= lastMinor else {
      let nearest = Self(major, lastMinor, patches[lastMinor])
      throw ClientVersionError(
        "\(named) is not a known release; the newest \(major).x known before it is \(nearest)")
    }
    self.init(major, minor, numbers.count > 2 ? numbers[2] : patches[minor])
  }

  /// ASCII digits without a sign or a leading zero; `Int` alone would take `+1` and `01`.
  private static func number(_ text: Substring) -> Int? {
    guard text.utf8.allSatisfy(\.isDigit) else { return nil }
    return text.count > 1 && text.hasPrefix("0") ? nil : Int(text)
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
