import Foundation
import Text

/// Reading that a planted link, pipe or oversized file can neither divert nor hold.
enum PlainFile {
  enum Kind: Hashable {
    case file, folder
    /// A link, a pipe, a device.
    case other
  }

  /// The kind of file at a path; nil where there is none.
  static func kind(of path: String, followingLinks: Bool = false) throws(BundleFailure) -> Kind? {
    var status = stat()
    if (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 { return kind(status) }
    guard SystemCall.meansAbsence(errno) else { throw unreadable(path) }
    return nil
  }

  private static func kind(_ status: stat) -> Kind {
    switch status.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    default: .other
    }
  }

  /// The bytes of a file.
  ///
  /// - Parameters:
  ///   - name: as messages call it.
  ///   - limit: a larger file is refused unread.
  static func read(_ path: String, named name: String, limit: Int) throws(BundleFailure) -> Data {
    // Without O_NONBLOCK a pipe would wait for a writer for ever.
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ELOOP { throw refusal(name) }
      throw SystemCall.meansAbsence(errno)
        ? BundleFailure(.notFound, "there is no \(name)") : unreadable(name)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable(name) }
    guard kind(status) == .file else { throw refusal(name) }
    guard status.st_size <= limit else {
      throw BundleFailure(
        .digest, "\(name) has \(status.st_size) bytes, more than the \(limit) that are right")
    }
    guard let data = contents(of: descriptor, size: Int(status.st_size)) else { throw unreadable(name) }
    return data
  }

  /// Up to `count` bytes from a file's beginning; nil where no file has this path.
  static func beginning(
    of path: String, count: Int, followingLinks: Bool = false
  ) throws(BundleFailure) -> Data? {
    let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | (followingLinks ? 0 : O_NOFOLLOW)
    let descriptor = open(path, flags)
    guard descriptor >= 0 else {
      guard SystemCall.meansAbsence(errno) || errno == ENXIO else { throw unreadable(path) }
      return nil
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable(path) }
    guard kind(status) == .file else { return nil }
    guard let data = contents(of: descriptor, size: count) else { throw unreadable(path) }
    return data
  }

  static func unreadable(_ name: String) -> BundleFailure {
    BundleFailure(.unreadable, "\(name) cannot be read: \(SystemCall.words())")
  }

  private static func refusal(_ name: String) -> BundleFailure {
    BundleFailure(.path, "\(name) is a link or a pipe, not a file")
  }

  private static func contents(of descriptor: Int32, size: Int) -> Data? {
    var data = Data(count: size)
    let length = data.withUnsafeMutableBytes { SystemCall.read(descriptor, into: $0) }
    return length < 0 ? nil : data.prefix(length)
  }
}
