import CacheStore
import FileStore
import Foundation
import SQLiteStore
import Text

/// Takes out of a cache what must not stay, so that the next run makes it again.
///
/// A damaged file is worse than none: an app would fail where it could download. Its row in the ledger goes with it, and
/// so do the rows of files that are missing. A damaged ledger is moved aside.
package struct CacheRepair: Sendable {
  /// Wait for a run on the same cache instead of failing.
  package var waitsForLock = false
  private let calls: FileCalls

  package init(calls: FileCalls = .system) { self.calls = calls }

  /// Names of the files that are to be made again, and where the damaged ledger lies now.
  package typealias Result = (files: [String], ledger: String?)

  /// Removes what a verification has found, as far as it is still so once the lock is held: a run may have made it
  /// right meanwhile. Where something could not be read nothing is removed.
  ///
  /// - Parameters:
  ///   - report: what is still so.
  ///   - verifier: looks again.
  @discardableResult
  package func remove(
    _ report: inout VerifyReport, _ verifier: CacheVerifier
  ) async throws -> Result {
    guard report.unread == nil, report.isDamaged else { return ([], nil) }
    let state = StateFolder(cache: report.path, calls: calls)
    let lock = try state.lock(waits: waitsForLock)
    let names = Set(report.damagedFiles.map { ByteText($0) })
    report.take(try await verifier.verify(report.path, only: names), of: names)
    guard report.unread == nil else { return ([], nil) }
    let (files, isLocked) = (report.damagedFiles, lock != nil)
    let ledger = try remove(files, state, isLocked)
    _ = consume lock
    return (files, ledger)
  }

  private func remove(_ names: [String], _ state: StateFolder, _ isLocked: Bool) throws -> String? {
    let isDamaged = isLocked ? try isDamaged(state.ledger) : nil
    let files = try FileStore(folder: URL(fileURLWithPath: state.cache), calls: calls)
    // The files go before the rows: without its row a damaged file might pass for a whole one.
    for name in names { try files.remove(name) }
    if isLocked { try files.synchronize() }
    guard let isDamaged else { return nil }
    if isDamaged { return try DamagedDatabase.moveAside(state.ledger, calls: calls) }
    try LedgerWriter(path: state.ledger, calls: calls).remove(files: names)
    return nil
  }

  /// All of it, before anything is removed: damage does not show at the beginning alone. Nil where there is none.
  private func isDamaged(_ ledger: String) throws -> Bool? {
    do {
      return try LedgerReader(path: ledger, calls: calls).check() ? false : nil
    } catch {
      if error.isDamage { return true }
      throw error
    }
  }
}
