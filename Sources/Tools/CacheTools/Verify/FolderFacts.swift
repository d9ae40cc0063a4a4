import CacheStore
import ClientKit
import FileStore
import Foundation
import Planning

/// What can be said of a cache folder without reading its files: names, dates, what is missing and what is too much.
struct FolderFacts {
  package let listing: CacheListing
  package let client: any FolderClient
  package let now: Date

  package func findings() -> [VerifyFinding] {
    var findings = listing.entries.flatMap(findings(of:))
    let present = Set(listing.entries.map(\.name))
    for (name, row) in listing.ledger where !present.contains(name) {
      findings.append(
        VerifyFinding(
          .missing, file: name, key: row.origin.key, "the ledger has it, but the folder does not")
      )
    }
    if let damage = listing.damage {
      let fact = damage.isDamage ? damage.fact : "\(damage.fact); the files are checked without it"
      findings.append(VerifyFinding(damage.isDamage ? .ledger : .unread, fact))
    }
    return findings + stamp()
  }

  private func findings(of file: FileEntry) -> [VerifyFinding] {
    var findings: [VerifyFinding] = []
    let row = listing.ledger[file.name]
    func found(_ code: VerifyFinding.Code, _ message: String) {
      findings.append(VerifyFinding(code, file: file.name, key: row?.origin.key, message))
    }
    if row == nil, !client.isName(file.name, ofKey: nil) {
      found(.foreign, "\(client.identity) gives no file such a name")
    } else if listing.hasLedger, row == nil {
      found(.foreign, "the ledger does not know it")
    }
    if let key = row?.origin.key, !client.isName(file.name, ofKey: key) {
      found(.name, "\(client.identity) looks for the key of this entry under another name")
    }
    if let expires = client.folder.expiry(modified: file.modificationDate), expires <= now {
      found(.expired, "it expired at \(expires.formatted(.iso8601))")
    } else if let row, row.modified != modified(file) {
      found(.dates, "its modification date is not the one that was written")
    }
    return findings
  }

  /// To the nanosecond, as the ledger has it; a `Date` is a little coarser.
  private func modified(_ file: FileEntry) -> Int64 {
    CacheFileStatus(folder: listing.path, name: file.name)?.modified ?? 0
  }

  private func stamp() -> [VerifyFinding] {
    guard !listing.entries.isEmpty, let why = client.stampProblem(in: listing.files, now: now) else {
      return []
    }
    return [
      VerifyFinding(.stamp, "\(why): an app may sweep the folder a few seconds after its first launch")
    ]
  }
}
