import Foundation
import Text

/// The way of a store to the system calls that change files or look at them.
///
/// A test puts itself between: it counts the calls and lets one of them fail, so that full disks and failing renames
/// need neither a device nor a process of their own. Normal use has no interception and costs a look at nil.
package struct FileCalls: Sendable {
  package enum Call: String, Hashable, Sendable {
    case open, write, setDates, synchronize, synchronizeFile, rename, remove, makeFolder, access, list, link,
      lock
    /// Nothing is changed by a look at what has a name, and by opening and reading a file.
    case look, read
    /// A transaction of the ledger.
    case commit
  }

  package enum Verdict: Hashable, Sendable {
    case perform
    /// The call is not made, and -1 comes back with this `errno`.
    case fail(Int32)
    /// The call is not made, and 0 comes back.
    case pretend
  }

  package static let system = FileCalls(intercepting: nil)

  private let interception: (@Sendable (Call, _ path: String) -> Verdict)?

  /// - Parameter interception: Asked before each call; also before one is made again that a signal interrupted.
  package init(intercepting interception: (@Sendable (Call, _ path: String) -> Verdict)?) {
    self.interception = interception
  }

  /// The verdict on a call: for an interception that asks another one.
  package func verdict(_ call: Call, _ path: String) -> Verdict { interception?(call, path) ?? .perform }

  /// Makes a call, and again if a signal interrupted it. Gives its result, -1 with `errno` set if it failed.
  package func make<Result: SignedInteger>(_ call: Call, _ path: String, _ body: () -> Result) -> Result {
    guard let interception else { return SystemCall.repeated(body) }
    return SystemCall.repeated {
      switch interception(call, path) {
      case .perform: return body()
      case .pretend: return 0
      case .fail(let number):
        errno = number
        return -1
      }
    }
  }

  /// The same for calls on a cache that are not those of a store.
  @discardableResult
  package func check(
    _ call: Call, _ words: String, _ path: String, _ body: () -> Int32
  ) throws(SystemCall.Failure) -> Int32 {
    let result = make(call, path, body)
    guard result != -1 else { throw SystemCall.Failure(errno: errno, call: words, path: path) }
    return result
  }

  /// The same for a store's own calls.
  @discardableResult
  func perform(
    _ call: Call, _ operation: FileStoreError.Operation, _ path: String, _ body: () -> Int32
  ) throws(FileStoreError) -> Int32 {
    let result = make(call, path, body)
    guard result >= 0 else { throw .last(operation, path: path) }
    return result
  }

  /// The status of a path; nil where nothing lies there, which only a few errors mean. Any other proves nothing.
  ///
  /// - Parameter folder: what the path begins from.
  package func status(
    of path: String, in folder: Int32 = AT_FDCWD, followsLinks: Bool = false
  ) throws(FileStoreError) -> stat? {
    var status = stat()
    let flags = followsLinks ? 0 : AT_SYMLINK_NOFOLLOW
    if make(.look, path, { fstatat(folder, path, &status, flags) }) == 0 { return status }
    if SystemCall.meansAbsence(errno) { return nil }
    throw .last(.read, path: path)
  }

  /// Whether a path leads to something.
  package func exists(_ path: String) throws(FileStoreError) -> Bool {
    try status(of: path, followsLinks: true) != nil
  }

  /// Whether a path leads to a folder.
  package func isFolder(_ path: String) throws(FileStoreError) -> Bool {
    try status(of: path, followsLinks: true).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
  }

  /// Creates a folder and those above it; a folder or a link to one that is there already is fine.
  ///
  /// - Parameter mode: of the folder itself; those above it are everybody's.
  package func makeFolder(_ path: String, mode: mode_t = 0o777) throws(FileStoreError) {
    if make(.makeFolder, path, { mkdir(path, mode) }) == 0 { return }
    let failure = FileStoreError.last(.createFolder, path: path)
    if failure.reason == .notFound, let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      try makeFolder(String(path[..<slash]))
      // Another process may have created it between the two calls.
      if make(.makeFolder, path, { mkdir(path, mode) }) == 0 || errno == EEXIST { return }
      throw .last(.createFolder, path: path)
    }
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { throw failure }
  }
}

#if os(Linux)
  // The C library's header hides it from Swift behind _GNU_SOURCE.
  @_silgen_name("syncfs") private func syncfs(_ descriptor: Int32) -> Int32

  /// Waits until everything written to the file system of `descriptor` has reached the device.
  func synchronizeFileSystem(_ descriptor: Int32) -> Int32 { syncfs(descriptor) }
#else
  func synchronizeFileSystem(_ descriptor: Int32) -> Int32 { fcntl(descriptor, F_FULLFSYNC) }
#endif
