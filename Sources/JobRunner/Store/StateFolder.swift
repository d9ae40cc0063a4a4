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
  var lock: String { path + "/lock" }
  var temporary: String { path + "/tmp" }

  /// Creates what is missing and proves that both folders can be written, before anything is fetched.
  func prepare() throws(StoreFailure) {
    do throws(SystemCall.Failure) {
      for folder in [cache, path, temporary] {
        try SystemCall.makeFolder(folder)
        try SystemCall.check("write into", folder) { access(folder, W_OK | X_OK) }
      }
    } catch {
      throw StoreFailure(error)
    }
  }

  /// Removes what a killed run left. Only the holder of the lock may do so.
  func removeLeftovers() throws(StoreFailure) {
    guard let folder = opendir(temporary) else { return }
    defer { closedir(folder) }
    while let item = readdir(folder) {
      let name = withUnsafeBytes(of: item.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { unlink(temporary + "/" + name) }
    }
  }
}
