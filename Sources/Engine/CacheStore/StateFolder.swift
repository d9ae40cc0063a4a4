import FileStore
import Foundation
import Planning
import Text

/// `<cache folder>.preheat/`: all that Preheat keeps about a cache, beside it and never in it.
///
/// It lies on the cache's own file system, so a finished file moves into the cache by one rename. It belongs to the folder
/// that the cache is, by whatever link that is named: two runs on one cache share one lock.
package struct StateFolder: Sendable {
  package let cache: String
  package let path: String
  package let calls: FileCalls

  package init(cache: String, calls: FileCalls = .system) {
    self.init(real: PathText.real(cache), path: PathText.real(cache) + Self.ending, calls: calls)
  }

  private init(real cache: String, path: String, calls: FileCalls) {
    (self.cache, self.path, self.calls) = (cache, path, calls)
  }

  private static let ending = ".preheat"

  /// Takes over the state folder that an earlier release left beside a link to a cache, unless the cache has its own.
  ///
  /// - Parameter cache: as the job names it.
  /// - Returns: where it was; nil for none.
  package static func takeOver(_ cache: String, calls: FileCalls = .system) throws -> String? {
    let state = StateFolder(cache: cache, calls: calls)
    let former = StateFolder(real: state.cache, path: PathText.absolute(cache) + ending, calls: calls)
    guard try state.kind(of: former.path)?.kind == S_IFDIR, try state.kind(of: state.path) == nil else {
      return nil
    }
    try former.refusePlants()
    // That release may be at work.
    let lock = try RunLock(former, waits: false)
    try calls.check(.rename, "move the state folder to", state.path) { rename(former.path, state.path) }
    _ = consume lock
    return former.path
  }

  /// The other cache that this one lies in, in words; nil for none. An app would take it for entries.
  package var enclosure: String? {
    var folder = PathText.folder(of: cache)
    while folder != "/" {
      // Every run leaves its lock.
      if access(folder + Self.ending + "/lock", F_OK) == 0 { return "the cache folder \(folder)" }
      if folder.hasSuffix(Self.ending), access(folder + "/lock", F_OK) == 0 {
        return "the state folder \(folder)"
      }
      folder = PathText.folder(of: folder)
    }
    return nil
  }

  var files: FileStore { FileStore(existing: URL(fileURLWithPath: path), calls: calls) }
  package var ledger: String { path + "/ledger.sqlite" }
  package var http: String { path + "/http" }
  package var partial: String { path + "/partial" }
  /// Copies of catalogues, as `FeedCopy` of the jobs' room names them.
  var feeds: String { path + "/feeds" }
  package var lock: String { path + "/lock" }
  package var temporary: String { path + "/tmp" }

  /// Creates what is missing and proves that both folders can be written, before anything is fetched.
  ///
  /// - Returns: The cache's files, their temporaries in the state folder.
  package func prepare() throws -> FileStore {
    try refusePlants()
    if let enclosure {
      throw StoreFailure(
        .notWritable,
        "\(cache) is inside \(enclosure); move it and \(path) out of that, or name another cache folder")
    }
    let isNew = access(path, F_OK) != 0
    let store = try FileStore(
      folder: URL(fileURLWithPath: cache), temporaryFolder: URL(fileURLWithPath: temporary), calls: calls)
    // Others may read the cache; what was asked for and downloaded is private.
    if isNew { _ = chmod(path, 0o700) }
    for folder in [cache, path, temporary] {
      try calls.check(.access, "write into", folder) { access(folder, W_OK | X_OK) }
    }
    try checkFileSystem()
    return store
  }

  /// Refuses what only another program can have put here: a link would lead Preheat's own writing out of its
  /// folder, and a database of many names is another program's, too.
  func refusePlants() throws {
    for folder in [path, temporary, http, http + "/bodies", partial, feeds] {
      guard let kind = try kind(of: folder)?.kind else { continue }
      guard kind == S_IFDIR else {
        throw StoreFailure(
          .notWritable,
          "\(folder) is \(kind == S_IFLNK ? "a link" : "no folder"); Preheat writes only into a folder of its own: remove it"
        )
      }
    }
    let databases = [ledger, http + "/index.sqlite"].flatMap { path in
      ["", "-wal", "-shm", "-journal"].map { path + $0 }
    }
    for file in [lock] + databases {
      guard let (kind, names) = try kind(of: file) else { continue }
      guard kind == S_IFREG, names == 1 else {
        let what = kind == S_IFREG ? "a file with another name elsewhere" : "no plain file"
        throw StoreFailure(.notWritable, "\(file) is \(what); Preheat did not make it: remove it")
      }
    }
  }

  /// A rename does not cross file systems, and the first one comes only after the first downloads.
  func checkFileSystem() throws(StoreFailure) {
    var (cacheInfo, stateInfo) = (stat(), stat())
    guard stat(cache, &cacheInfo) == 0, stat(temporary, &stateInfo) == 0,
      cacheInfo.st_dev != stateInfo.st_dev
    else { return }
    throw StoreFailure(
      .notWritable,
      "\(cache) and \(path) are on different file systems, so files cannot be moved into place; "
        + "if the cache is a mount point, name a folder inside it")
  }

  /// Links are not followed.
  private func kind(of path: String) throws -> (kind: mode_t, names: Int)? {
    try calls.status(of: path).map { ($0.st_mode & S_IFMT, Int($0.st_nlink)) }
  }

  /// Where a merge gathers its files.
  package static let mergeName = "merge"

  /// Removes what a killed process left. The lock has to be held: no process is at work on any of it then.
  package func removeLeftovers(of files: FileStore) throws {
    try files.removeAbandonedTemporaries()
    try FileStore(existing: files.temporaryFolder, calls: calls).remove(Self.mergeName)
    LedgerWriter.settle(ledger)
  }

  /// The lock for what changes a cache; nil where it has no state folder.
  package func lock(waits: Bool) throws -> RunLock? {
    guard try calls.exists(path) else { return nil }
    let files = try prepare()
    let lock = try RunLock(self, waits: waits)
    try removeLeftovers(of: files)
    return lock
  }

  /// Which of the two folders a path leads into, in words; nil for a path elsewhere. What lies in the cache an app takes
  /// for an entry, and what lies in the state folder is Preheat's own.
  package func place(of path: String) -> String? {
    if OutputFile.isInside(path, of: cache) { return "the cache folder \(cache)" }
    return OutputFile.isInside(path, of: self.path) ? "the state folder \(self.path)" : nil
  }
}
