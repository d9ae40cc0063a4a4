import Foundation

/// Lines of a file or of bytes in memory, read in chunks; line ends are LF or CRLF.
package struct LineReader: ~Copyable {
  package enum Line {
    case text(ArraySlice<UInt8>)
    /// Over ``longestLine``; its text is thrown away.
    case tooLong
  }

  package static let longestLine = 1 << 20
  private static let chunk = 1 << 16

  /// Set once; Swift 6.2 takes no `let` beside initialisers that call mutating methods.
  private var descriptor: Int32
  private var buffer: [UInt8]
  /// Where the next line begins, and how far the line end has been looked for.
  private var start = 0
  private var searched = 0
  private var atFileEnd: Bool
  private var dropping = false

  package init(bytes: [UInt8]) {
    descriptor = -1
    buffer = bytes
    atFileEnd = true
    skipByteOrderMark()
  }

  package init(path: String) throws(ReadFailure) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw ReadFailure(errno: errno) }
    try self.init(descriptor: descriptor)
  }

  /// Reads an open file, and closes it at the end.
  package init(descriptor: Int32) throws(ReadFailure) {
    self.descriptor = descriptor
    buffer = []
    atFileEnd = false
    try fill()
    skipByteOrderMark()
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// A regular file can be read a second time; a pipe cannot.
  package var isRegularFile: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// The next line without its end, or nil after the last.
  package mutating func next() throws(ReadFailure) -> Line? {
    while true {
      if let end = lineEnd() { return line(upTo: end, next: end + 1) }
      if atFileEnd {
        let isOver = start == buffer.count && !dropping
        return isOver ? nil : line(upTo: buffer.count, next: buffer.count)
      }
      try fill()
    }
  }

  /// Whether ``next()`` has its answer without waiting.
  package var isReady: Bool {
    mutating get { lineEnd() != nil || atFileEnd }
  }

  /// Reads on if something comes in this time.
  package mutating func fill(within milliseconds: Int32) throws(ReadFailure) {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    if poll(&request, 1, milliseconds) > 0 { try fill() }
  }

  private mutating func line(upTo end: Int, next: Int) -> Line {
    let line = buffer[start..<end]
    (start, searched) = (next, next)
    if dropping {
      dropping = false
      return .tooLong
    }
    return line.count > Self.longestLine ? .tooLong : .text(line.last == 13 ? line.dropLast() : line)
  }

  private mutating func lineEnd() -> Int? {
    let from = searched
    let found = buffer.withUnsafeBytes { bytes -> Int? in
      guard let base = bytes.baseAddress, from < bytes.count else { return nil }
      guard let hit = memchr(base + from, 10, bytes.count - from) else { return nil }
      return UnsafeRawPointer(hit) - base
    }
    searched = found ?? buffer.count
    return found
  }

  private mutating func fill() throws(ReadFailure) {
    // Of a line that is too long nothing is kept.
    if buffer.count - start > Self.longestLine + 1 {
      dropping = true
      start = buffer.count
    }
    buffer.removeSubrange(..<start)
    searched -= start
    start = 0
    let file = descriptor
    let count = withUnsafeTemporaryAllocation(byteCount: Self.chunk, alignment: 1) { chunk -> Int in
      let count = SystemCall.repeated { read(file, chunk.baseAddress, chunk.count) }
      if count > 0 { buffer.append(contentsOf: chunk.prefix(count)) }
      return count
    }
    if count < 0 { throw ReadFailure(errno: errno) }
    if count == 0 { atFileEnd = true }
  }

  private mutating func skipByteOrderMark() {
    if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
    searched = start
  }
}

/// Why a job or a list could not be read.
package struct ReadFailure: Error {
  package var reason: String

  package init(reason: String) {
    self.reason = reason
  }

  package init(_ failure: SystemCall.Failure) {
    self.init(errno: failure.errno)
    if let words = failure.words { reason = words }
  }

  init(errno code: Int32) {
    switch code {
    case ENOENT: reason = "there is no such file"
    case EISDIR: reason = "it is a folder"
    case EACCES, EPERM: reason = "permission denied"
    default: reason = SystemCall.words(code)
    }
  }
}
