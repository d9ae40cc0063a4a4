import CacheCore
import Foundation
import Glibc

/// `<cache folder>.preheat/`: all that Preheat keeps about a cache, beside it and never in it.
///
/// It lies on the cache's own file system, so a finished file moves into the cache by one rename.
public struct StateFolder: Sendable {
  public let cache: String
  public let path: String

  public init(cache: String) {
    self.cache = cache
    path = cache + ".preheat"
  }

  public var ledger: String { path + "/ledger.sqlite" }
  var http: String { path + "/http" }
  var partial: String { path + "/partial" }
  var lock: String { path + "/lock" }
  var temporary: String { path + "/tmp" }

  /// Creates what is missing and proves that both folders can be written, before anything is fetched.
  ///
  /// - Returns: The cache's files, their temporaries in the state folder.
  func prepare() throws(StoreFailure) -> FileStore {
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
