import Glibc
import Text

/// Complete reads and writes on a socket, until a deadline. Blocks its thread.
struct BlockingStream {
  let descriptor: Int32
  let deadline: ContinuousClock.Instant?

  /// - Throws: `closed` once the reader has gone.
  func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        try limit(SO_SNDTIMEO)
        let part = UnsafeRawBufferPointer(rebasing: rest)
        let count = SystemCall.repeated {
          Glibc.send(descriptor, part.baseAddress, part.count, Int32(MSG_NOSIGNAL))
        }
        guard count >= 0 else { throw failure("send") }
        rest = rest.dropFirst(count)
      }
    }
  }

  /// Exactly `count` bytes. With `isFirst` an end before the first byte gives none.
  ///
  /// - Throws: `closed` where the stream ends earlier.
  func read(_ count: Int, isFirst: Bool = false) throws -> [UInt8] {
    // Not zeroed first, and so not touched before the bytes come: an announcement costs no memory.
    return try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        try limit(SO_RCVTIMEO)
        let rest = UnsafeMutableBufferPointer(rebasing: buffer[filled..<count])
        let read = SystemCall.repeated { Glibc.recv(descriptor, rest.baseAddress, rest.count, 0) }
        // A peer that died with unread bytes resets the socket.
        if read == 0 || read < 0 && errno == ECONNRESET {
          if isFirst && filled == 0 { return }
          throw RenderFrame.Failure.closed
        }
        guard read > 0 else { throw failure("read") }
        filled += read
      }
    }
  }

  /// How long the next call may wait.
  private func limit(_ option: Int32) throws {
    guard let deadline else { return }
    let remaining = ContinuousClock.now.duration(to: deadline)
    guard remaining > .zero else { throw RenderFrame.Failure.timedOut }
    let (seconds, attoseconds) = remaining.components
    // fits: less than a second; and at least a microsecond, since none at all would be for ever.
    var time = timeval(tv_sec: Int(seconds), tv_usec: max(1, Int(attoseconds / 1_000_000_000_000)))
    setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  private func failure(_ call: String) -> RenderFrame.Failure {
    switch errno {
    case EAGAIN: .timedOut
    case EPIPE, ECONNRESET: .closed
    case let code: .system(call, code)
    }
  }
}
