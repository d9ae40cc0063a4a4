import CacheStore
import FileStore
import Foundation
import Planning
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

  /// The result of a repair.
  package struct Result: Sendable, Hashable {
    /// Names of the files that are to be made again.
    package var files: [String] = []
    /// Where the damaged ledger lies now.
    package var ledger: String?
  }

  @discardableResult
  package func remove(_ report: VerifyReport) throws(ToolError) -> Result {
    var result = Result(files: report.damagedFiles)
    let hasDamagedLedger = report.damage.contains { $0.code == .ledger }
    guard !result.files.isEmpty || hasDamagedLedger else { return result }
    let names = result.files
    result.ledger = try ToolError.of { () throws(StoreFailure) in
      try StateFolder.whileLocked(cache: report.path, waits: waitsForLock, calls: calls) {
        state throws(StoreFailure) in
        try StoreFailure.storing { () throws(FileStoreError) in
          let files = try FileStore(folder: URL(fileURLWithPath: report.path), calls: calls)
          // The files go before the rows: without its row a damaged file might pass for a whole one.
          for name in names { try files.remove(name) }
          if state != nil { try files.synchronize() }
        }
        guard let state, FileManager.default.fileExists(atPath: state.ledger) else { return nil }
        return try forget(names, in: state.ledger)
      }
    }
    return result
  }

  /// - Returns: Where the ledger lies now if it is damaged. None is made in its place: an empty one would
  ///   know no file.
  private func forget(_ names: [String], in ledger: String) throws(StoreFailure) -> String? {
    do throws(LedgerFailure) {
      // All of it is looked at: damage does not show at the beginning alone.
      try LedgerReader(path: ledger).check()
    } catch {
      guard error.isDamage else { throw StoreFailure(error) }
      do throws(SystemCall.Failure) { return try DamagedDatabase.moveAside(ledger, calls: calls) } catch {
        throw StoreFailure(error)
      }
    }
    try LedgerWriter(path: ledger, calls: calls).remove(files: names)
    return nil
  }
}
