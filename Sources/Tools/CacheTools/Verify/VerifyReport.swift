import ClientKit
import Planning

/// What a verification has come to.
package struct VerifyReport: Sendable, Hashable {
  /// The cache folder or the bundle.
  package var path: String
  package var client: CacheClient?
  /// Files that were looked at, and their bytes.
  package var files = 0
  package var bytes = 0
  /// Of these, decoded to their end.
  package var decoded = 0
  /// Of these, compared with a digest.
  package var digested = 0
  /// By file name; what is about the whole cache comes first.
  package var findings: [VerifyFinding] = []

  package init(path: String, client: CacheClient?) {
    self.path = path
    self.client = client
  }

  package var damage: [VerifyFinding] { findings.filter(\.isDamage) }
  package var isDamaged: Bool { findings.contains(where: \.isDamage) }

  /// Names of files that must be made again; a file may be found wanting in more than one way.
  package var damagedFiles: [String] { Set(damage.compactMap(\.file)).sorted() }

  package mutating func sort() {
    findings.sort { ($0.file ?? "", $0.code.rawValue) < ($1.file ?? "", $1.code.rawValue) }
  }
}
