import Foundation
import Text

package enum LocalFile {
  package struct Status: Sendable, Hashable {
    package var size: Int
    /// Size, date, number and time of the last change in one text: whether the file is worth reading again. Tools that set
    /// all dates to one moment leave the last two as they come.
    package var stamp: String
  }

  /// Nil where there is no file, or none in the folders that the job may read from.
  package static func status(url: String, within roots: TrustedRoots? = nil) -> Status? {
    guard let path = PathText.path(ofFileURL: url), roots?.holds(path) ?? true else { return nil }
    var info = stat()
    guard stat(roots == nil ? path : PathText.absolute(path), &info) == 0 else { return nil }
    return Status(info)
  }

  /// The bytes of a regular file, and its stamp. Devices, pipes and folders are refused, so that nothing can hang.
  package static func read(
    url: String, maxBytes: Int, within roots: TrustedRoots? = nil
  ) throws(RunFailure) -> (bytes: [UInt8], stamp: String?) {
    guard let path = PathText.path(ofFileURL: url),
      url.hasPrefix("file:///") || ["", "localhost"].contains(URL(string: url)?.host() ?? "")
    else {
      throw RunFailure(
        step: .fetch, code: "file.url", message: "not a file on this machine",
        advice: "write it as file:///folder/picture.jpg")
    }
    do throws(SystemCall.Failure) {
      let descriptor =
        if let roots {
          try roots.open(path, flags: O_NONBLOCK)
        } else {
          try SystemCall.check("open", path) { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        }
      defer { close(descriptor) }
      return try contents(of: descriptor, path: path, maxBytes: maxBytes)
    } catch {
      throw RunFailure(
        step: .fetch, code: error.errno == ENOENT ? "file.missing" : "file.unreadable",
        message: error.message, isRetryable: error.errno == EMFILE || error.errno == ENFILE,
        cause: "cannot \(error.call) a local file: \(error.reason)")
    }
  }

  private static func contents(
    of descriptor: Int32, path: String, maxBytes: Int
  ) throws(SystemCall.Failure) -> (bytes: [UInt8], stamp: String?) {
    var info = stat()
    try SystemCall.check("look at", path) { fstat(descriptor, &info) }
    guard info.st_mode & S_IFMT == S_IFREG else {
      throw SystemCall.Failure(errno: EISDIR, call: "read as a picture", path: path)
    }
    let size = Int(info.st_size)
    guard size <= maxBytes else { throw SystemCall.Failure(errno: EFBIG, call: "read", path: path) }
    var failure: Int32?
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      let length = SystemCall.read(descriptor, into: UnsafeMutableRawBufferPointer(buffer))
      if length < 0 { failure = errno }
      count = max(0, length)
    }
    if let failure { throw SystemCall.Failure(errno: failure, call: "read", path: path) }
    // From before the bytes: a file that changes meanwhile is then read once more, never once too seldom.
    return (bytes, Status(info).stamp)
  }
}

extension LocalFile.Status {
  fileprivate init(_ info: stat) {
    size = Int(info.st_size)
    stamp =
      "\(info.st_size) \(info.st_mtim.tv_sec).\(info.st_mtim.tv_nsec) \(info.st_ino) "
      + "\(info.st_ctim.tv_sec).\(info.st_ctim.tv_nsec)"
  }
}

/// `data:` URLs, by the steps of the Fetch standard of WHATWG ("data: URLs").
enum DataURL {
  static func decode(_ url: String, maxBytes: Int) throws(RunFailure) -> [UInt8] {
    let tooLarge = failure("it is larger than the limit of \(maxBytes) bytes; raise the limit if it is meant")
    // Before its text is looked at: three characters may stand for one byte.
    guard url.utf8.count / 3 <= maxBytes + 256 else { throw tooLarge }
    guard let comma = url.firstIndex(of: ",") else { throw failure("it has no comma before its data") }
    let text = String(url[url.index(after: comma)...])
    let bytes: [UInt8]
    let head = url[..<comma].lowercased().replacing("%20", with: " ").split(separator: ";")
    if head.count > 1, head.last?.split(separator: " ") == ["base64"] {
      guard let encoded = text.removingPercentEncoding,
        let data = Data(base64Encoded: encoded, options: .ignoreUnknownCharacters)
      else { throw failure("its base64 text is damaged") }
      bytes = [UInt8](data)
    } else {
      guard let plain = PercentText.bytes(Array(text.utf8)[...]) else {
        throw failure("its percent encoding is damaged")
      }
      bytes = plain
    }
    guard bytes.count <= maxBytes else { throw tooLarge }
    return bytes
  }

  private static func failure(_ reason: String) -> RunFailure {
    RunFailure(
      step: .fetch, code: "data.url", message: "the data URL cannot be read: \(reason)",
      advice: "write it as data:image/png;base64,...")
  }
}
