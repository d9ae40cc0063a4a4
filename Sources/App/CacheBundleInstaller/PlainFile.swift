import Foundation
import Text

/// An open file that a planted link, pipe or oversized file can neither divert nor hold. It is not mapped: another process
/// may cut it.
final class PlainFile: Sendable {
  enum Kind: Hashable {
    case file, folder
    /// A link, a pipe, a device.
    case other

    fileprivate init(_ status: stat) {
      switch status.st_mode & S_IFMT {
      case S_IFREG: self = .file
      case S_IFDIR: self = .folder
      default: self = .other
      }
    }
  }

  private let descriptor: Int32
  private let size: Int

  /// Nil where no file has this path.
  init?(_ path: String, followingLinks: Bool = false) throws(BundleFailure) {
    // Without O_NONBLOCK a pipe would wait for a writer for ever.
    descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | (followingLinks ? 0 : O_NOFOLLOW))
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
      size = 0
      // The last is a socket's.
      if descriptor < 0, SystemCall.meansAbsence(errno) || errno == ENXIO { return nil }
      throw Self.unreadable(path)
    }
    size = Int(status.st_size)
    if Kind(status) != .file { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The kind of file at a path; nil where there is none.
  static func kind(of path: String, followingLinks: Bool = false) throws(BundleFailure) -> Kind? {
    var status = stat()
    if (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 { return Kind(status) }
    guard SystemCall.meansAbsence(errno) else { throw unreadable(path) }
    return nil
  }

  /// The bytes of a file.
  ///
  /// - Parameters:
  ///   - name: as messages call it.
  ///   - limit: a larger file is refused unread.
  static func read(_ path: String, named name: String, limit: Int) throws(BundleFailure) -> Data {
    guard let file = try PlainFile(path) else {
      throw try kind(of: path) == nil
        ? BundleFailure(.notFound, "there is no \(name)")
        : BundleFailure(.path, "\(name) is a link or a pipe, not a file")
    }
    guard file.size <= limit else {
      throw BundleFailure(.digest, "\(name) has \(file.size) bytes, more than the \(limit) that are right")
    }
    guard let data = file.bytes(0, most: file.size) else { throw unreadable(name) }
    return data
  }

  /// Up to `count` bytes from a file's beginning; nil where no file has this path.
  static func beginning(
    of path: String, count: Int, followingLinks: Bool = false
  ) throws(BundleFailure) -> Data? {
    guard let file = try PlainFile(path, followingLinks: followingLinks) else { return nil }
    guard let data = file.bytes(0, most: count) else { throw unreadable(path) }
    return data
  }

  /// A number of bytes from a place on; nil where the file has fewer.
  func bytes(_ start: Int, _ count: Int) -> Data? {
    let data = bytes(start, most: count)
    return data?.count == count ? data : nil
  }

  /// Fewer at the file's end; nil with `errno` set where they cannot be read.
  func bytes(_ start: Int, most: Int) -> Data? {
    var data = Data(count: most)
    var done = 0
    while done < most {
      let read = data.withUnsafeMutableBytes { buffer in
        SystemCall.repeated {
          pread(descriptor, buffer.baseAddress.map { $0 + done }, most - done, off_t(start + done))
        }
      }
      guard read >= 0 else { return nil }
      if read == 0 { break }
      done += read
    }
    return data.prefix(done)
  }

  private static func unreadable(_ name: String) -> BundleFailure {
    BundleFailure(.unreadable, "\(name) cannot be read: \(SystemCall.words())")
  }
}
