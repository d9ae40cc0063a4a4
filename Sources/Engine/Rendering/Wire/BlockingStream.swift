import Glibc
import Text

/// Complete reads and writes on a socket, until a deadline. Blocks its thread.
///
/// It looks for room or bytes only where the call found none: most calls do, and a look costs as much as the call
/// itself.
struct BlockingStream {
  let descriptor: Int32
  let deadline: ContinuousClock.Instant?

  /// - Throws: `closed` once the reader has gone.
  func write(_ bytes: [UInt8]) throws {
    var done = 0
    while done < bytes.count {
      let count = SystemCall.repeated {
        bytes.withUnsafeBytes { buffer in
          let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
          return Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
      }
      if count >= 0 {
        done += count
      } else {
        switch errno {
        case EAGAIN: try wait(for: POLLOUT)
        case EPIPE, ECONNRESET: throw RenderFrame.Failure.closed
        case let code: throw RenderFrame.Failure.system("send", code)
        }
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
        guard try readSome(into: UnsafeMutableBufferPointer(rebasing: buffer[filled..<count]), &filled) else {
          if isFirst && filled == 0 { return }
          throw RenderFrame.Failure.closed
        }
      }
    }
  }

  /// False at the end of the stream.
  private func readSome(
    into buffer: UnsafeMutableBufferPointer<UInt8>, _ filled: inout Int
  ) throws -> Bool {
    // Without a deadline the call itself may wait.
    let flags = Int32(deadline == nil ? 0 : MSG_DONTWAIT)
    let count = SystemCall.repeated { Glibc.recv(descriptor, buffer.baseAddress, buffer.count, flags) }
    if count > 0 {
      filled += count
      return true
    }
    if count == 0 { return false }
    switch errno {
    case EAGAIN:
      try wait(for: POLLIN)
      return true
    // A peer that died with unread bytes resets the socket.
    case ECONNRESET: return false
    case let code: throw RenderFrame.Failure.system("read", code)
    }
  }

  private func wait(for events: Int32) throws {
    while true {
      // fits: the constants of poll(2).
      var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      switch poll(&request, 1, try remainingMilliseconds()) {
      case 1...: return
      case 0: continue  // the remaining time decides
      default:
        // Made again by the loop, since the time that remains is another.
        guard errno == EINTR else { throw RenderFrame.Failure.system("poll", errno) }
      }
    }
  }

  /// For `poll`: -1 waits for ever.
  private func remainingMilliseconds() throws -> Int32 {
    guard let deadline else { return -1 }
    let remaining = ContinuousClock.now.duration(to: deadline)
    guard remaining > .zero else { throw RenderFrame.Failure.timedOut }
    // Rounded up, so that the last millisecond is not spent in a spin; long waits go in pieces.
    return Int32(min(remaining / .milliseconds(1), 60_000).rounded(.up))
  }
}
