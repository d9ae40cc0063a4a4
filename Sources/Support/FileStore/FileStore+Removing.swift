import Foundation
import Text

extension FileStore {
  /// Removes what has this name, a folder with all that is in it. Nothing there is no error.
  package func remove(_ name: String) throws(FileStoreError) {
    guard Self.isFileName(name) else { return }
    try remove(path: path(of: name))
  }

  /// Empties the folder, hidden and foreign files included. The folder itself stays: it may be a link or a
  /// mount point, with an owner and a mode of its own.
  package func removeAll() throws(FileStoreError) {
    for name in try names() { try remove(path: path(of: name)) }
    try createFolders()
  }

  /// Removes the unfinished files of processes that died; the ones being written now are left alone.
  package func removeAbandonedTemporaries() throws(FileStoreError) {
    for name in try names(in: temporaryPath) where name.hasPrefix(Draft.namePrefix) {
      let path = temporaryPath + "/" + name
      let descriptor = calls.make(.open, path) {
        open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      }
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      if calls.make(.lock, path, { flock(descriptor, LOCK_EX | LOCK_NB) }) == 0 {
        try remove(path: path)
      } else if SystemCall.isUnsupported(errno) {
        // Without locks only the age shows that a draft was abandoned.
        var status = stat()
        guard fstat(descriptor, &status) == 0, time(nil) - status.modificationTime.tv_sec > 86_400 else {
          continue
        }
        try remove(path: path)
      }
    }
  }

  private func remove(path: String) throws(FileStoreError) {
    if calls.make(.remove, path, { unlink(path) }) == 0 || errno == ENOENT { return }
    let failure = FileStoreError.last(.remove, path: path)
    // Linux and Darwin give different numbers for a folder.
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { throw failure }
    let result = calls.make(.remove, path) {
      (try? FileManager.default.removeItem(atPath: path)) == nil ? Int32(-1) : 0
    }
    guard result == 0 else { throw failure }
  }
}

/// What decides whether a sweep removes a file: the date that is its age, where it lies, what it counts.
package typealias SweepFacts = (date: Date, path: String, size: Int)

extension Array {
  /// The files that a cache gives up when it has grown too large, in the order of removal: the oldest. Equal dates go by
  /// path, so that the same folder always loses the same files; a client's own order is any.
  ///
  /// - Parameters:
  ///   - isTooLarge: whether anything is removed of files of this size together.
  ///   - isEnough: whether a rest of this size stays.
  package func oldest(
    _ facts: (Element) -> SweepFacts, where isTooLarge: (Int) -> Bool, until isEnough: (Int) -> Bool
  ) -> [Element] {
    let files = map { (file: $0, facts: facts($0)) }
    var size = files.reduce(0) { $0 + $1.facts.size }
    guard isTooLarge(size) else { return [] }
    let oldestFirst = files.sorted { ($0.facts.date, $0.facts.path) < ($1.facts.date, $1.facts.path) }
    return oldestFirst.prefix { file in
      guard !isEnough(size) else { return false }
      size -= file.facts.size
      return true
    }.map(\.file)
  }
}
