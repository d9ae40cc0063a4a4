import Foundation
import Text

extension FileStore {
  /// The bytes of a file, nil if there is none of this name. A link is followed; a folder or a pipe does not count.
  ///
  /// - Parameters:
  ///   - updatingAccessDate: sets the access date to now, whatever the mount options say, and leaves
  ///     the modification date alone.
  ///   - keepingAccessDate: asks the system not to touch the access date, which it grants on one's own files.
  package func read(
    _ name: String, updatingAccessDate: Bool = false, keepingAccessDate: Bool = false
  ) throws(FileStoreError) -> Data? {
    guard Self.isFileName(name) else { return nil }
    let path = path(of: name)
    let descriptor = Self.openForReading(path, keepingAccessDate: keepingAccessDate)
    guard descriptor >= 0 else {
      if [ENOENT, ENOTDIR, ENAMETOOLONG, ENXIO].contains(errno) { return nil }
      throw .last(.read, path: path)
    }
    defer { close(descriptor) }

    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .last(.read, path: path) }
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    guard let data = Self.contents(of: descriptor, size: Int(status.st_size)) else {
      throw .last(.read, path: path)
    }
    // The date only decides what a sweep removes first, so a read does not fail for it (another owner's
    // file), and a file that was read within this second need not be told again.
    if updatingAccessDate, !status.wasReadThisSecond { _ = futimens(descriptor, timespec.accessNow) }
    return data
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
  /// with `errno` set where reading failed.
  package static func beginning(of path: String, count: Int) -> [UInt8]? {
    let descriptor = openForReading(path, keepingAccessDate: true)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return contents(of: descriptor, size: count).map { [UInt8]($0) }
  }

  /// Whether anything of this name is there, a folder too. Touches no date.
  package func contains(_ name: String) -> Bool {
    Self.isFileName(name) && access(path(of: name), F_OK) == 0
  }

  /// Up to `size` bytes, fewer if the file ends earlier; nil with `errno` set if reading failed.
  private static func contents(of descriptor: Int32, size: Int) -> Data? {
    // `Data(count:)` would fill the bytes with zeros first.
    guard size > 0 else { return Data() }
    guard let buffer = malloc(size) else { return nil }
    let length = SystemCall.read(descriptor, into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
    guard length >= 0 else {
      free(buffer)
      return nil
    }
    return Data(bytesNoCopy: buffer, count: length, deallocator: .free)
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
