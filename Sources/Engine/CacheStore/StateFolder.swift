import FileStore
import Foundation
import Glibc
import Planning
import Text

/// `<cache folder>.preheat/`: all that Preheat keeps about a cache, beside it and never in it.
///
/// It lies on the cache's own file system, so a finished file moves into the cache by one rename.
package struct StateFolder: Sendable {
  package let cache: String
  package let path: String

  package init(cache: String) {
    self.cache = cache
    path = cache + ".preheat"
  }

  package var ledger: String { path + "/ledger.sqlite" }
  package var http: String { path + "/http" }
  package var partial: String { path + "/partial" }
  package var lock: String { path + "/lock" }
  package var temporary: String { path + "/tmp" }

  /// Creates what is missing and proves that both folders can be written, before anything is fetched.
  ///
  /// - Returns: The cache's files, their temporaries in the state folder.
  package func prepare() throws(StoreFailure) -> FileStore {
    try refusePlants()
    let store: FileStore
    do throws(FileStoreError) {
      store = try FileStore(
        folder: URL(fileURLWithPath: cache), temporaryFolder: URL(fileURLWithPath: temporary))
    } catch {
      throw StoreFailure(error)
    }
    do throws(SystemCall.Failure) {
      for folder in [cache, path, temporary] {
        try SystemCall.check("write into", folder) { access(folder, W_OK | X_OK) }
      }
    } catch {
      throw StoreFailure(error)
    }
    try checkFileSystem()
    return store
  }
}
