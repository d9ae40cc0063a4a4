import Glibc

/// What the file system says of a regular file in a cache folder; links are not followed.
package struct CacheFileStatus: Hashable {
  package var size: Int64
  /// Modification time in nanoseconds since 1970.
  package var modified: Int64

  /// Nil where there is no regular file of that name.
  package init?(folder: String, name: String) {
    var info = stat()
    guard lstat(folder + "/" + name, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
    size = Int64(info.st_size)
    modified = Int64(info.st_mtim.tv_sec) * 1_000_000_000 + Int64(info.st_mtim.tv_nsec)
  }
}
