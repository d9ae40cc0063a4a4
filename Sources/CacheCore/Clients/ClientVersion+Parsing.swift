/// Why a version that somebody wrote cannot be used.
public enum ClientVersionError<Version: ClientVersion>: Error, Hashable, Sendable, CustomStringConvertible {
  /// Not one to three numbers.
  case malformed(String)
  /// Before the oldest known release, whose keys were made otherwise.
  case tooOld(String)
  /// Not released when the keys were checked: a later major version or a branch.
  case unreleased(String)
  /// A number that no known release has; `nearest` is the newest of the same line.
  case unknownRelease(String, nearest: Version)

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
  /// Reads `12` (the newest 12 known), `12.1` (the newest 12.1 known) or `12.5.0`.
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
    let patch = numbers.count > 2 ? numbers[2] : patches[minor]
    guard patch <= patches[minor] || Self.takesLaterPatches else {
      throw .unknownRelease(text, nearest: Self(numbers[0], minor, patches[minor]))
    }
    self.init(numbers[0], minor, patch)
  }

  /// ASCII digits without a sign or a leading zero; `Int` alone would take `+1` and `01`.
  private static func number(_ text: Substring) -> Int? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return text.count > 1 && text.hasPrefix("0") ? nil : Int(text)
  }
}
