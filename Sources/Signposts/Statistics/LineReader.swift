#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Reads a file line by line through one buffer.
struct LineReader: ~Copyable {
  /// A line that is longer is cut into several, which no reader of lines will take for whole ones.
  private static let bufferSize = 1 << 20

  private let path: String
  private let descriptor: Int32

  init(path: String) throws(SignpostLogFailure) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure() }
  }

  deinit { close(descriptor) }

  /// - Parameter body: Gets each line without its end; the last one also where it has no end. The bytes
  ///   are there during the call only.
  borrowing func forEachLine(
    _ body: (UnsafeRawBufferPointer) throws(SignpostLogFailure) -> Void
  ) throws(SignpostLogFailure) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.bufferSize, alignment: 16)
    defer { buffer.deallocate() }
    var filled = 0
    while true {
      let count = read(descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled)
      if count < 0 {
        if errno == EINTR { continue }
        throw failure()
      }
      filled += count
      var start = 0
      while let end = Self.lineEnd(in: buffer, from: start, to: filled) {
        if end > start { try body(UnsafeRawBufferPointer(rebasing: buffer[start..<end])) }
        start = end + 1
      }
      let isFull = start == 0 && filled == buffer.count
      if count == 0 || isFull {
        if start < filled { try body(UnsafeRawBufferPointer(rebasing: buffer[start..<filled])) }
        if count == 0 { return }
        filled = 0
        continue
      }
      // memmove(3): the parts may overlap.
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[start..<filled]))
      filled -= start
    }
  }

  private static func lineEnd(in buffer: UnsafeMutableRawBufferPointer, from start: Int, to end: Int) -> Int?
  {
    guard let base = buffer.baseAddress, start < end else { return nil }
    return memchr(base.advanced(by: start), Int32(UInt8(ascii: "\n")), end - start).map {
      UnsafeRawPointer($0) - UnsafeRawPointer(base)
    }
  }

  private borrowing func failure() -> SignpostLogFailure {
    SignpostLogFailure(message: "\(path) cannot be read: \(String(cString: strerror(errno)))")
  }
}
