import CacheBundleInstaller
import ClientKit
import Foundation
import Pictures
import Planning
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
  package var findings: [VerifyFinding] = []

  /// The signers of a bundle.
  package struct Signature: Sendable, Hashable {
    /// Ids of the keys.
    package var signers: [String]
    package var counter: Int
    /// Of the keys that were given, those that have signed; nil where none was given and nothing is checked.
    package var checked: [String]?
  }

  /// Files of which nothing is known.
  package var unread: VerifyFinding? { findings.first { $0.code == .unreadable } }

  package var damage: [VerifyFinding] { findings.filter(\.isDamage) }
  package var isDamaged: Bool { findings.contains(where: \.isDamage) }

  /// Names of files that must be made again; a file may be found wanting in more than one way.
  package var damagedFiles: [String] {
    Set(damage.compactMap { $0.file.map { ByteText($0) } }).sorted().map(\.text)
  }

  /// Takes what a second look says of the folder and of some of its files.
  mutating func take(_ other: VerifyReport, of names: Set<ByteText>) {
    func isAgain(_ finding: VerifyFinding) -> Bool {
      finding.code == .missing || finding.file.map { names.contains(ByteText($0)) } ?? true
    }
    findings = findings.filter { !isAgain($0) } + other.findings.filter(isAgain)
    sort()
  }

  package mutating func sort() {
    findings.sort { ($0.file ?? "", $0.code.rawValue) < ($1.file ?? "", $1.code.rawValue) }
  }
}

/// Something about a cache or a bundle that a person should know.
package struct VerifyFinding: Sendable, Hashable {
  package var code: Code
  /// Name in the cache folder; nil where the cache as a whole is meant.
  package var file: String?
  /// Where the ledger or the index knows it.
  package var key: String?
  /// The source's URL without credentials, where the key is known.
  package var source: String?
  /// The problem in words.
  package var message: String

  package enum Code: String, Sendable, Hashable, CaseIterable {
    case empty = "verify.empty"
    /// Permissions, a disk's error, too many open files; nothing is known against it.
    case unreadable = "verify.unreadable"
    /// No picture of a format on our table.
    case format = "verify.format"
    /// It ends before its own end mark.
    case truncated = "verify.truncated"
    /// Its decoder gives up.
    case undecodable = "verify.undecodable"
    /// Not the bytes that were stored.
    case digest = "verify.digest"
    /// Its key has another name.
    case name = "verify.name"
    /// The ledger or the index has it, and there is no file.
    case missing = "verify.missing"
    /// The ledger is damaged.
    case ledger = "verify.ledger"
    /// The ledger is of a later release, or another process has locked it.
    case unread = "verify.unread"
    /// The bundle itself cannot be trusted.
    case bundle = "verify.bundle"
    /// It is not signed by a key that was given.
    case signature = "verify.signature"
    /// It is not known what it is.
    case foreign = "verify.foreign"
    case expired = "verify.expired"
    /// Its dates are not those that were written.
    case dates = "verify.dates"
    /// The app's first launch sweeps the folder.
    case stamp = "verify.stamp"
    /// It could not be decoded for want of a worker or of time; nothing is known against it.
    case undecided = "verify.undecided"
  }

  /// An app is worse off for it; the others are worth knowing.
  package var isDamage: Bool {
    ![.foreign, .expired, .dates, .stamp, .undecided, .unread, .unreadable].contains(code)
  }

  /// Advice for the user.
  package var advice: String {
    switch code {
    case .empty, .format, .truncated, .undecodable, .digest, .name:
      "preheat verify --repair removes it, and the next run makes it again"
    case .missing: "run the job again"
    case .ledger: "preheat verify --repair moves it aside, and so does the next run, which makes a new one"
    case .unread: "use the release that wrote the ledger, or try again when nothing else uses it"
    case .unreadable: "check the file's mode and owner, the disk and ulimit -n"
    case .bundle: "make the bundle again, and do not ship this one"
    case .signature: "do not ship this one; make the bundle again with --sign, or give the right --public-key"
    case .foreign: "remove it, or leave it to the app's own sweep"
    case .expired: "run the job again; it gives new dates to what is still right"
    case .dates: "copy caches with their dates (cp -a, rsync -a); the next run sets this right"
    case .stamp: "run the job again; it writes the date of the last sweep"
    case .undecided: "verify again with more time (--render-timeout)"
    }
  }
}

/// How thoroughly a cache is checked.
package struct VerifyOptions: Sendable, Hashable {
  /// Needed where the cache has no ledger beside it.
  package var client: CacheClient?
  /// Path of the `preheat-render` executable; nil to decode nothing.
  package var renderer: String?
  /// Worker processes that decode.
  package var workers = ProcessInfo.processInfo.activeProcessorCount
  package var limits = RenderLimits()
  /// Formats that are decoded; of the others only the structure is checked.
  package var formats = ImageFormat.trusted
  /// Decode even where nothing confines the decoders.
  package var allowsUnconfined = false
  /// One of them must have signed a bundle; empty to check no signature.
  package var publicKeys: [BundlePublicKey] = []
  /// The moment that expiry dates are compared with.
  package var now = Date()

  package init() {}
}
