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
  /// Why a text is not a version of this library.
  public typealias ParseError = ClientVersionError<Self>

  /// By the three numbers, one after another.
  public static func < (a: Self, b: Self) -> Bool {
    (a.major, a.minor, a.patch) < (b.major, b.minor, b.patch)
  }

  /// The three numbers with dots: `12.9.0`.
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

/// Why the text of a version cannot be used.
public enum ClientVersionError<Version: ClientVersion>: LocalizedError, Hashable, Sendable,
  CustomStringConvertible
{
  /// Not one to three numbers.
  case malformed(String)
  /// Before the oldest known release, whose keys were made otherwise.
  case tooOld(String)
  /// Not released when the keys were checked: a later major version or a branch.
  case unreleased(String)
  /// A later minor version than those known; `nearest` is the newest of the same major version.
  case unknownRelease(String, nearest: Version)

  /// The text of `localizedDescription`.
  public var errorDescription: String? { description }

  /// A phrase for people, with the versions that are known.
  public var description: String {
    let client = Version.client
    return switch self {
    case .malformed(let text):
      "\"\(text)\" is not a version of \(client); expected a major version such as \(Version.latest.major) or a "
        + "release such as \(Version.latest) (pre-releases and branches are not supported)"
    case .tooOld(let text):
      "\(client) \(text) is not supported: its cache keys differ; the oldest supported is \(Version.oldest)"
    case .unreleased(let text):
      "\(client) \(text) is not a release that is known here, and its cache keys may still change; "
        + "the newest known is \(Version.latest)"
    case .unknownRelease(let text, let nearest):
      "\(client) \(text) is not a known release; the newest \(nearest.major).x known before it is \(nearest)"
    }
  }
}

extension ClientVersion {
  /// Reads `12` (the newest 12 known), `12.1` (the newest 12.1 known) or `12.5.0`. A later patch of a known minor version
  /// has the rules of the newest one known.
  public init(parsing text: String) throws(ClientVersionError<Self>) {
    if text == "main" || text == "master" { throw .unreleased(text) }
    let fields = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = fields.compactMap(Self.number)
    guard numbers.count == fields.count, (1...3).contains(numbers.count) else { throw .malformed(text) }
    if numbers[0] < Self.oldest.major { throw .tooOld(text) }
    guard let patches = Self.newestPatches.first(where: { $0.key == numbers[0] })?.value else {
      throw .unreleased(text)
    }
    let lastMinor = patches.count - 1
    let minor = numbers.count > 1 ? numbers[1] : lastMinor
    guard minor <= lastMinor else {
      throw .unknownRelease(text, nearest: Self(numbers[0], lastMinor, patches[lastMinor]))
    }
    self.init(numbers[0], minor, numbers.count > 2 ? numbers[2] : patches[minor])
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
