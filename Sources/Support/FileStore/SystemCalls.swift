#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension FileStoreError.Reason {
  package init(number: Int32) {
    self =
      switch number {
      case ENOENT: .notFound
      case EACCES, EPERM: .notPermitted
      case EROFS: .readOnly
      // The last is a limit on the size of files, a kind of quota.
      case ENOSPC, EDQUOT, EFBIG: .noSpace
      case EMFILE, ENFILE: .tooManyOpenFiles
      case EIO: .inputOutput
      case ENOTDIR, EEXIST: .notAFolder
      case EISDIR: .isAFolder
      case EXDEV: .otherFileSystem
      default: .other(number: number)
      }
  }
}

extension FileStoreError {
  /// The error that the last system call left in `errno`.
  package static func last(_ operation: Operation, path: String) -> FileStoreError {
    FileStoreError(operation, path: path, reason: Reason(number: errno))
  }
}

/// Creates a folder and those above it; a folder or a link to one that is there already is fine.
package func makeFolder(_ path: String) throws(FileStoreError) {
  if mkdir(path, 0o777) == 0 { return }
  let failure = FileStoreError.last(.createFolder, path: path)
  if failure.reason == .notFound, let slash = path.lastIndex(of: "/"), slash > path.startIndex {
    try makeFolder(String(path[..<slash]))
    // Another process may have created it between the two calls.
    if mkdir(path, 0o777) == 0 || errno == EEXIST { return }
    throw .last(.createFolder, path: path)
  }
  var status = stat()
  guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { throw failure }
}

#if os(Linux)
  // The C library's header hides it from Swift behind _GNU_SOURCE.
  @_silgen_name("syncfs") private func syncfs(_ descriptor: Int32) -> Int32

  /// Waits until everything written to the file system of `descriptor` has reached the device.
  func synchronizeFileSystem(_ descriptor: Int32) -> Int32 { syncfs(descriptor) }
#else
  func synchronizeFileSystem(_ descriptor: Int32) -> Int32 { fcntl(descriptor, F_FULLFSYNC) }
#endif
