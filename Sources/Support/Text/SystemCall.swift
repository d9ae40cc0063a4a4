import Foundation

/// Helpers for system calls: calls that a signal interrupts are made again, and error numbers become
/// words.
package enum SystemCall {
  /// Repeats a call that a signal interrupted. Gives the call's result, -1 with `errno` set if it failed.
  @inlinable package static func repeated<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }

  /// The absolute path that a path leads to, links followed; nil with `errno` set where it leads nowhere, or to a path
  /// that is not UTF-8.
  package static func realPath(_ path: String) -> String? {
    guard let text = realpath(path, nil) else { return nil }
    defer { free(text) }
    errno = EILSEQ
    return String(validatingCString: text)
  }

  /// The working directory; nil where it is gone.
  package static var workingDirectory: [UInt8]? {
    guard let text = getcwd(nil, 0) else { return nil }
    defer { free(text) }
    return bytes(text)
  }

  /// The text that the system gave, without the zero behind it.
  package static func bytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }

  /// The system's text for an error number, by default that of the last call.
  package static func words(_ number: Int32 = errno) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    // The `strerror` of one thread may overwrite that of another; this one does not.
    _ = strerror_r(number, &buffer, buffer.count)
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether an error number says that the file system has no such call, or no locks.
  package static func isUnsupported(_ number: Int32) -> Bool {
    [ENOSYS, ENOTSUP, EOPNOTSUPP, ENOLCK, EINVAL, ENOTTY].contains(number)
  }

  /// Whether an error number says that nothing has a name. The last is about a name that no file can have.
  package static func meansAbsence(_ number: Int32) -> Bool {
    [ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG].contains(number)
  }

  /// Reads on until the buffer is full or the file ends.
  ///
  /// - Returns: Bytes read; -1 with `errno` set if it failed.
  package static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard let start = buffer.baseAddress else { return 0 }
    var done = 0
    while done < buffer.count {
      let count = repeated { Foundation.read(descriptor, start + done, buffer.count - done) }
      if count == 0 { break }
      guard count > 0 else { return -1 }
      done += count
    }
    return done
  }

  /// Writes all bytes.
  ///
  /// - Returns: Whether it could; if not, `errno` says why.
  package static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let start = bytes.baseAddress else { return true }
    var done = 0
    while done < bytes.count {
      let count = repeated { Foundation.write(descriptor, start + done, bytes.count - done) }
      // A disk that takes no bytes and reports no error counts as full.
      if count == 0 { errno = ENOSPC }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }

  /// A call that failed, with the path that it was about.
  package struct Failure: Error, Hashable, Sendable {
    package var errno: Int32
    package var call: String
    package var path: String
    /// In place of what the system says about the number.
    package var words: String?

    package init(errno: Int32, call: String, path: String, words: String? = nil) {
      self.errno = errno
      self.call = call
      self.path = path
      self.words = words
    }

    /// Why it failed.
    package var reason: String { words ?? SystemCall.words(errno) }

    /// As a person reads it: what was tried, on what, and why it failed.
    package var message: String { "cannot \(call) \(path): \(reason)" }
  }

  /// -1 becomes a failure.
  @discardableResult
  package static func check(_ call: String, _ path: String, _ body: () -> Int32) throws(Failure) -> Int32 {
    let result = repeated(body)
    guard result != -1 else { throw Failure(errno: errno, call: call, path: path) }
    return result
  }
}

/// The files in which Linux tells about itself. They have no size until they are read.
package enum SystemFile {
  /// All that a file says, without the line breaks at its end; nil where it cannot be read, or on another system.
  package static func text(_ path: String) -> String? {
    guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
    let end = bytes.lastIndex { $0 != UInt8(ascii: "\n") }.map { $0 + 1 } ?? 0
    return String(decoding: bytes[..<end], as: UTF8.self)
  }

  /// Which start of the machine this is; elsewhere than on Linux all are taken for one.
  package static let boot = text("/proc/sys/kernel/random/boot_id") ?? "-"
}
