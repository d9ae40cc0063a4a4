import Foundation

extension FileStore {
  /// Writes a whole file in place of the one that has the name, or leaves that one as it was.
  ///
  /// The bytes are not forced to the device: after a power cut a file may be lost or empty. Where that
  /// matters ``stage(_:as:dates:)``, ``synchronize()`` and ``publish(_:)`` come in this order.
  ///
  /// - Returns: The bytes that it takes on disk.
  @discardableResult
  package func write(
    _ data: Data, as name: String, dates: FileDates = FileDates()
  ) throws(FileStoreError) -> Int {
    try check(name)
    var size = 0
    try recreatingFolders { () throws(FileStoreError) in
      let draft = try draft()
      try draft.fill(with: data, dates: dates)
      size = draft.allocatedSize
      try draft.publish(as: path(of: name))
    }
    return size
  }

  /// The same for bytes that come in pieces.
  package func write(_ name: String, _ pieces: ((Data) throws -> Void) throws -> Void) throws {
    try check(name)
    let draft = try Draft(in: temporaryPath, calls: calls)
    try pieces { try draft.fill(with: $0, dates: FileDates()) }
    try draft.publish(as: path(of: name))
  }

  /// Writes a whole file under a temporary name, so that many can be synchronised at once.
  ///
  /// Nothing locks a staged file: the caller keeps others from calling
  /// ``removeAbandonedTemporaries()`` on the same folder meanwhile.
  package func stage(
    _ data: Data, as name: String, dates: FileDates = FileDates()
  ) throws(FileStoreError) -> StagedFile {
    try check(name)
    var temporaryPath = ""
    try recreatingFolders { () throws(FileStoreError) in
      let draft = try self.draft(isLocked: false)
      try draft.fill(with: data, dates: dates)
      temporaryPath = draft.keep()
    }
    return StagedFile(name: name, temporaryPath: temporaryPath)
  }

  /// Gives a staged file its name. A folder that has vanished is created again.
  package func publish(_ file: StagedFile) throws(FileStoreError) {
    let target = path(of: file.name)
    try recreatingFolders { () throws(FileStoreError) in
      try calls.perform(.rename, .publish, target) { rename(file.temporaryPath, target) }
    }
  }

  package func discard(_ file: StagedFile) {
    _ = calls.make(.remove, file.temporaryPath) { unlink(file.temporaryPath) }
  }

  /// Waits until everything that was written to the store's file system is on the device. One call for
  /// many files: a call for each would cost more than the pictures.
  ///
  /// - Parameter files: Paths that matter; asked for only where the file system cannot synchronise all at once.
  package func synchronize(orEach files: () -> [String] = { [] }) throws(FileStoreError) {
    try recreatingFolders { () throws(FileStoreError) in
      do throws(FileStoreError) { try synchronizeOnce() } catch {
        guard error.isUnsupported else { throw error }
        for file in files() + [path] { try synchronize(file: file) }
      }
    }
  }

  private func synchronize(file: String) throws(FileStoreError) {
    let descriptor = try calls.perform(.open, .synchronize, file) {
      open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    }
    defer { close(descriptor) }
    guard calls.make(.synchronizeFile, file, { fsync(descriptor) }) != 0 else { return }
    let failure = FileStoreError.last(.synchronize, path: file)
    // Without this call nothing more can be done; folders often lack it.
    guard failure.isUnsupported else { throw failure }
  }

  private func synchronizeOnce() throws(FileStoreError) {
    let descriptor = try calls.perform(.open, .synchronize, path) {
      open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    defer { close(descriptor) }
    try calls.perform(.synchronize, .synchronize, path) { synchronizeFileSystem(descriptor) }
  }

  /// Gives a regular file a second name in this store; where the file system has none to give, the file is copied.
  ///
  /// If the file is later replaced by a new one, this name keeps the old bytes. Nothing is forced to the device.
  package func link(_ existing: String, as name: String) throws(FileStoreError) {
    let target = path(of: name)
    try check(name)
    if calls.make(.link, target, { systemLink(existing, target) }) == 0 { return }
    // Another file system, another user's file, a file with as many names as it can have: all of them can be read.
    let failure = FileStoreError.last(.write, path: target)
    let url = URL(fileURLWithPath: existing)
    let source = FileStore(existing: url.deletingLastPathComponent(), calls: calls)
    guard let data = try source.read(url.lastPathComponent, keepingAccessDate: true) else { throw failure }
    try write(data, as: name)
  }

  /// Gives files that have other names too, as joined caches do, bytes of their own: a change of a date would show under
  /// all names.
  package func separate(_ names: [String]) throws(FileStoreError) {
    var staged: [StagedFile] = []
    for name in names {
      guard Self.isFileName(name), let status = try calls.status(of: path(of: name)), status.st_nlink > 1,
        let data = try read(name, keepingAccessDate: true)
      else { continue }
      let dates = FileDates(access: status.accessTime.date, modification: status.modificationTime.date)
      staged.append(try stage(data, as: name, dates: dates))
    }
    guard !staged.isEmpty else { return }
    try synchronize { staged.map(\.temporaryPath) }
    for file in staged { try publish(file) }
  }

  func check(_ name: String, _ operation: FileStoreError.Operation = .write) throws(FileStoreError) {
    guard Self.isFileName(name) else {
      throw FileStoreError(operation, path: path(of: name), reason: .invalidName)
    }
  }

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
      if let lock = LockedFile(abandoned: path, calls: calls) { try remove(path: lock.path) }
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

/// A whole file under a temporary name, waiting to be published or discarded.
package struct StagedFile: Hashable, Sendable {
  package let name: String
  package let temporaryPath: String
}

/// `link(2)`, by another name because the store has a method of that name. A link is not followed.
private func systemLink(_ existing: String, _ name: String) -> Int32 {
  linkat(AT_FDCWD, existing, AT_FDCWD, name, 0)
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
