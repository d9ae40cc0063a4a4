/// What a verification has come to.
public struct VerifyReport: Sendable, Hashable {
  /// The cache folder or the bundle.
  public var path: String
  public var client: CacheClient?
  /// Files that were looked at, and their bytes.
  public var files = 0
  public var bytes = 0
  /// Of these, decoded to their end.
  public var decoded = 0
  /// Of these, compared with a digest.
  public var digested = 0
  /// By file name; what is about the whole cache comes first.
  public var findings: [VerifyFinding] = []

  public init(path: String, client: CacheClient?) {
    self.path = path
    self.client = client
  }

  public var damage: [VerifyFinding] { findings.filter(\.isDamage) }
  public var isDamaged: Bool { findings.contains(where: \.isDamage) }

  /// Names of files that must be made again; a file may be found wanting in more than one way.
  public var damagedFiles: [String] { Set(damage.compactMap(\.file)).sorted() }

  mutating func sort() {
    findings.sort { ($0.file ?? "", $0.code.rawValue) < ($1.file ?? "", $1.code.rawValue) }
  }
}
