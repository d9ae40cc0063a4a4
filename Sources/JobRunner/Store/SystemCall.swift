#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// System calls with errors as values, each with the path that it was about.
enum SystemCall {
  struct Failure: Error, Hashable {
    var errno: Int32
    var call: String
    var path: String

    /// As a person reads it: what was tried, on what, and why it failed.
    var message: String { "cannot \(call) \(path): \(String(cString: strerror(errno)))" }
  }

  /// Repeats a call that a signal interrupted; -1 becomes a failure.
  @discardableResult
  static func check(_ call: String, _ path: String, _ body: () -> Int32) throws(Failure) -> Int32 {
    while true {
      let result = body()
      if result != -1 { return result }
      if errno != EINTR { throw Failure(errno: errno, call: call, path: path) }
    }
  }

  /// Creates a folder and those above it; one that is there is fine.
  static func makeFolder(_ path: String) throws(Failure) {
    if mkdir(path, 0o755) == 0 { return }
    switch errno {
    case EEXIST:
      var info = stat()
      guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFDIR else {
        throw Failure(errno: ENOTDIR, call: "create folder", path: path)
      }
    case ENOENT:
      guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { fallthrough }
      try makeFolder(String(path[..<slash]))
      if mkdir(path, 0o755) != 0, errno != EEXIST {
        throw Failure(errno: errno, call: "create folder", path: path)
      }
    default:
      throw Failure(errno: errno, call: "create folder", path: path)
    }
  }

  /// Writes all bytes to an open file.
  static func write(_ bytes: [UInt8], to descriptor: Int32, path: String) throws(Failure) {
    var offset = 0
    while offset < bytes.count {
      let written = bytes.withUnsafeBytes { buffer in
        Glibc.write(descriptor, buffer.baseAddress.map { $0 + offset }, buffer.count - offset)
      }
      if written >= 0 {
        offset += written
      } else if errno != EINTR {
        throw Failure(errno: errno, call: "write", path: path)
      }
    }
  }
}

extension StoreFailure {
  /// A failed system call on the cache or the state folder, with advice where there is some.
  init(_ failure: SystemCall.Failure) {
    switch failure.errno {
    case ENOSPC, EDQUOT:
      self.init(.full, "\(failure.message); free some space and run again: what is stored stays valid")
    case EROFS, EACCES, EPERM:
      self.init(.notWritable, "\(failure.message); choose another folder with --cache")
    default:
      self.init(.notWritable, failure.message)
    }
  }
}
