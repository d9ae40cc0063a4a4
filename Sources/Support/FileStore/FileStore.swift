import Foundation
import Text

/// A flat folder of files that are whole or absent.
///
/// A file is written under a temporary name and renamed, never in place, so a reader sees the old bytes or
/// the new ones and a process that dies leaves nothing torn. Temporaries lie hidden in the folder itself or
/// in another folder of the same file system. The value holds no state and no descriptor: any number of
/// threads and processes may use the same folder.
package struct FileStore: Sendable {
  package let folder: URL
  /// Where unfinished files lie: the folder itself, where they are hidden, if no other was given.
  package let temporaryFolder: URL

  package let path: String
  private let pathPrefix: String
  let temporaryPath: String
  package let calls: FileCalls
  /// Whether folders and files are for this user alone.
  private let isPrivate: Bool

  /// Creates the folders, with those above them.
  ///
  /// - Parameters:
  ///   - temporaryFolder: must be on the same file system as `folder`.
  ///   - isPrivate: keeps other users out of the folder, and out of each file that is written.
  package init(
    folder: URL, temporaryFolder: URL? = nil, isPrivate: Bool = false, calls: FileCalls = .system
  ) throws(FileStoreError) {
    self.init(existing: folder, temporaryFolder: temporaryFolder, isPrivate: isPrivate, calls: calls)
    try createFolders()
  }

  /// For reading only: nothing is created.
  package init(
    existing folder: URL, temporaryFolder: URL? = nil, isPrivate: Bool = false, calls: FileCalls = .system
  ) {
    self.isPrivate = isPrivate
    self.folder = folder
    self.temporaryFolder = temporaryFolder ?? folder
    self.calls = calls
    path = folder.path
    pathPrefix = path + "/"
    temporaryPath = self.temporaryFolder.path
  }

  /// Where a file of this name lies or would lie; nil if the text cannot be a file's name.
  package func url(for name: String) -> URL? {
    Self.isFileName(name) ? folder.appendingPathComponent(name) : nil
  }

  /// Whether text can be the name of a file in this folder and nowhere else. Names may come from an app's
  /// own code and so from a URL: one with a slash would reach outside.
  package static func isFileName(_ text: String) -> Bool {
    guard !text.isEmpty, text != ".", text != ".." else { return false }
    let slash = UInt8(ascii: "/")
    // Every read asks; over contiguous bytes it costs a tenth of what it does over the view.
    let isPlain = text.utf8.withContiguousStorageIfAvailable { !$0.contains(slash) && !$0.contains(0) }
    return isPlain ?? !text.utf8.contains { $0 == slash || $0 == 0 }
  }

  /// By its first byte: as a character a dot may have a mark of its own, and is another one then.
  package static func isHidden(_ name: String) -> Bool { name.utf8.first == UInt8(ascii: ".") }

  func createFolders() throws(FileStoreError) {
    for folder in temporaryPath == path ? [path] : [path, temporaryPath] {
      try calls.makeFolder(folder, mode: isPrivate ? 0o700 : 0o777)
      // The folder may have been there with another mode.
      if isPrivate { _ = chmod(folder, 0o700) }
    }
  }

  func draft(isLocked: Bool = true) throws(FileStoreError) -> Draft {
    try Draft(in: temporaryPath, mode: isPrivate ? 0o600 : 0o644, isLocked: isLocked, calls: calls)
  }

  /// Runs a write, and runs it once more in a new folder if the folder has vanished meanwhile.
  func recreatingFolders(_ write: () throws(FileStoreError) -> Void) throws(FileStoreError) {
    do {
      try write()
    } catch  where error.reason == .notFound {
      try createFolders()
      try write()
    }
  }

  package func path(of name: String) -> String { pathPrefix + name }

  /// No picture of a cache is larger: an app holds it in memory.
  package static let most = 1 << 30

  /// The bytes of a file, nil if there is none of this name. A link is followed; a folder or a pipe does not count.
  ///
  /// - Parameters:
  ///   - most: a file of more bytes is not read, which is an error.
  ///   - updatingAccessDate: sets the access date to now, whatever the mount options say, and leaves
  ///     the modification date alone.
  ///   - keepingAccessDate: asks the system not to touch the access date, which it grants on one's own files.
  package func read(
    _ name: String, most: Int = FileStore.most, updatingAccessDate: Bool = false,
    keepingAccessDate: Bool = false
  ) throws(FileStoreError) -> Data? {
    try opened(name, keepingAccessDate: keepingAccessDate) { descriptor, status throws(FileStoreError) in
      let path = path(of: name)
      guard status.st_size <= most else {
        let message = "it has \(status.st_size) bytes, and no more than \(most) are read"
        throw FileStoreError(.read, path: path, reason: .failed(message: message))
      }
      let data = try contents(of: descriptor, path, size: Int(status.st_size))
      // The date only decides what a sweep removes first, so a read does not fail for it (another owner's
      // file), and a file that was read within this second need not be noted again.
      if updatingAccessDate, !status.wasReadThisSecond { _ = futimens(descriptor, timespec.accessNow) }
      return data
    }
  }

  /// Reads a file of any size, piece by piece. Its access date stays.
  ///
  /// - Returns: false if there is none of this name.
  package func forEachPiece(
    of name: String, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(FileStoreError) -> Bool {
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 1)
    defer { piece.deallocate() }
    return try opened(name, keepingAccessDate: true) { descriptor, _ throws(FileStoreError) in
      while true {
        let count = try read(descriptor, path(of: name), into: piece)
        if count == 0 { return true }
        body(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      }
    } ?? false
  }

  /// Opens a file for `body`; nil if there is none of this name.
  private func opened<Result>(
    _ name: String, keepingAccessDate: Bool, _ body: (Int32, stat) throws(FileStoreError) -> Result
  ) throws(FileStoreError) -> Result? {
    guard Self.isFileName(name) else { return nil }
    let path = path(of: name)
    let descriptor = calls.make(.read, path) {
      Self.openForReading(path, keepingAccessDate: keepingAccessDate)
    }
    guard descriptor >= 0 else {
      // The last is a socket's.
      if SystemCall.meansAbsence(errno) || errno == ENXIO { return nil }
      throw .last(.read, path: path)
    }
    defer { close(descriptor) }
    var status = stat()
    try calls.perform(.look, .read, path) { fstat(descriptor, &status) }
    return status.st_mode & S_IFMT == S_IFREG ? try body(descriptor, status) : nil
  }

  /// Opens a file for reading.
  ///
  /// - Parameter keepingAccessDate: for looks into a cache whose sweep goes by that date.
  /// - Returns: A descriptor for the caller to close; negative, with `errno` set, where that failed.
  package static func openForReading(_ path: String, keepingAccessDate: Bool) -> Int32 {
    // Without O_NONBLOCK a pipe planted here would hold the reader for ever.
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
    if keepingAccessDate {
      let descriptor = SystemCall.repeated { systemOpen(path, flags | keepAccessDateFlag) }
      // Only a file's owner is granted this.
      if descriptor >= 0 || errno != EPERM { return descriptor }
    }
    return SystemCall.repeated { systemOpen(path, flags) }
  }

  /// Up to `count` bytes from a file's beginning, without touching its access date where the system grants that; nil
  /// where there is no such file.
  package func beginning(of name: String, count: Int) throws(FileStoreError) -> [UInt8]? {
    try opened(name, keepingAccessDate: true) { descriptor, _ throws(FileStoreError) in
      [UInt8](try contents(of: descriptor, path(of: name), size: count))
    }
  }

  /// Whether anything of this name is there, a folder too. Touches no date.
  package func contains(_ name: String) -> Bool {
    Self.isFileName(name) && access(path(of: name), F_OK) == 0
  }

  /// Up to `size` bytes, fewer if the file ends earlier.
  private func contents(of descriptor: Int32, _ path: String, size: Int) throws(FileStoreError) -> Data {
    // `Data(count:)` would fill the bytes with zeros first.
    guard size > 0 else { return Data() }
    guard let buffer = malloc(size) else { throw .last(.read, path: path) }
    do throws(FileStoreError) {
      let room = UnsafeMutableRawBufferPointer(start: buffer, count: size)
      return Data(
        bytesNoCopy: buffer, count: try read(descriptor, path, into: room), deallocator: .free)
    } catch {
      free(buffer)
      throw error
    }
  }

  private func read(
    _ descriptor: Int32, _ path: String, into room: UnsafeMutableRawBufferPointer
  ) throws(FileStoreError) -> Int {
    let count = calls.make(.read, path) { SystemCall.read(descriptor, into: room) }
    guard count >= 0 else { throw .last(.read, path: path) }
    return count
  }
}

extension stat {
  fileprivate var wasReadThisSecond: Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return accessTime.tv_sec == now.tv_sec
  }
}

#if os(Linux)
  private let keepAccessDateFlag: Int32 = 0o1_000_000  // O_NOATIME, which _GNU_SOURCE hides from Swift
#else
  private let keepAccessDateFlag: Int32 = 0
#endif

/// `open(2)`, by another name because the store has a method of that name.
private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }
