import Glibc
import Planning

extension StateFolder {
  /// Refuses what only somebody else can have put here: a link would lead Preheat's own writing out of its
  /// folder, and a database of many names is somebody else's, too.
  func refusePlants() throws(StoreFailure) {
    for folder in [path, temporary, http, http + "/bodies", partial] {
      guard let kind = Self.kind(of: folder)?.kind else { continue }
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
      guard let (kind, names) = Self.kind(of: file) else { continue }
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
  private static func kind(of path: String) -> (kind: mode_t, names: Int)? {
    var info = stat()
    guard lstat(path, &info) == 0 else { return nil }
    return (info.st_mode & S_IFMT, Int(info.st_nlink))
  }
}
