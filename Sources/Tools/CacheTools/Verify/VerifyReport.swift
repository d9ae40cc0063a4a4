import ClientKit
import Text

/// The result of a verification.
package struct VerifyReport: Sendable, Hashable {
  /// The cache folder or the bundle.
  package var path: String
  package var client: CacheClient?
  /// Of a signed bundle.
  package var signature: Signature?
  /// Files that were looked at, and their bytes.
  package var files = 0
  package var bytes = 0
  /// Of these, decoded to their end.
  package var decoded = 0
  /// Of these, compared with a digest.
  package var digested = 0
  /// By file name; what is about the whole cache comes first.
  package var findings: [Finding] = []

  /// The signers of a bundle.
  package struct Signature: Sendable, Hashable {
    /// Ids of the keys.
    package var signers: [String]
    package var counter: Int
    /// Of the keys that were given, those that have signed; nil where none was given and nothing is checked.
    package var checked: [String]?
  }

  /// Files of which nothing is known.
  package var unread: Finding? { findings.first { $0.code == .unreadable } }

  package var damage: [Finding] { findings.filter(\.isDamage) }
  package var isDamaged: Bool { findings.contains(where: \.isDamage) }

  /// Names of files that must be made again; a file may be found wanting in more than one way.
  package var damagedFiles: [String] {
    Set(damage.compactMap { $0.file.map { ByteText($0) } }).sorted().map(\.text)
  }

  /// Takes what a second look says of the folder and of some of its files.
  mutating func take(_ other: VerifyReport, of names: Set<ByteText>) {
    func isAgain(_ finding: Finding) -> Bool {
      finding.code == .missing || finding.file.map { names.contains(ByteText($0)) } ?? true
    }
    findings = findings.filter { !isAgain($0) } + other.findings.filter(isAgain)
    sort()
  }

  package mutating func sort() {
    findings.sort { ($0.file ?? "", $0.code.rawValue) < ($1.file ?? "", $1.code.rawValue) }
  }
}
