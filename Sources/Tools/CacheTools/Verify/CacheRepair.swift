import CacheStore
import FileStore
import Foundation
import Planning

/// Takes out of a cache what must not stay, so that the next run makes it again.
///
/// A damaged file is worse than none: an app would fail where it could download. Its row in the ledger goes with it, and
/// so do the rows of files that are missing.
package struct CacheRepair: Sendable {
  /// Wait for a run on the same cache instead of failing.
  package var waitsForLock = false

  package init() {}

  /// - Returns: names of the files that are to be made again.
  @discardableResult
  package func remove(_ report: VerifyReport) throws(CacheToolError) -> [String] {
    let names = report.damagedFiles
    guard !names.isEmpty else { return [] }
    do throws(StoreFailure) {
      try StateFolder.whileLocked(cache: report.path, waits: waitsForLock) { state throws(StoreFailure) in
        do throws(FileStoreError) {
          let files = try FileStore(folder: URL(fileURLWithPath: report.path))
          for name in names { try files.remove(name) }
        } catch {
          throw StoreFailure(error)
        }
        guard let state, FileManager.default.fileExists(atPath: state.ledger) else { return }
        try Ledger(path: state.ledger).remove(files: names)
      }
    } catch {
      throw CacheToolError(error)
    }
    return names
  }
}

extension Plan {
  /// The plan of those renditions alone that write one of these files.
  package func limited(to files: Set<String>) -> Plan {
    var rows: [Row] = []
    var firstRow = [0]
    for source in sources.indices {
      rows += self.rows(ofSource: source).filter { row in
        rendition(at: row).stores.contains { files.contains($0.fileName) }
      }
      firstRow.append(rows.count)
    }
    return Plan(
      settings: settings, layout: layout, chains: chains, variants: variants, sources: sources,
      options: options, files: self.files, rows: rows, firstRow: firstRow, stored: stored)
  }
}
