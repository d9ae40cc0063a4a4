import Concurrency
import Foundation
import Text

/// A descriptor that text is written to, whole texts at a time and unbuffered, from any thread.
struct TextStream: Sendable {
  /// Stays open, and belongs to the caller.
  let descriptor: Int32
  private let isOpen = Locked(true)

  /// Whether the reader has gone away (`preheat plan | head`). What is written then is dropped: the
  /// reader has all it wanted, which is not a failure. Commands that only print may stop early.
  var readerIsGone: Bool { isOpen.withLock { !$0 } }

  /// Whether it leads to the system journal: `JOURNAL_STREAM` holds device and inode of its socket (systemd.exec(5)).
  func isJournal(_ environment: [String: String]) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0
      && environment["JOURNAL_STREAM"] == "\(status.st_dev):\(status.st_ino)"
  }

  /// Writes a text.
  ///
  /// Needs ``StandardStreams/ignoreSignals()`` once before, or a vanished reader ends the process.
  func write(_ text: String) throws(StreamFailure) { try write(Array(text.utf8)) }

  /// Writes a text that is UTF-8 already.
  func write(_ bytes: [UInt8]) throws(StreamFailure) {
    let failure = isOpen.withLock { isOpen -> StreamFailure? in
      guard isOpen else { return nil }
      switch Self.write(bytes, to: descriptor) {
      case 0: return nil
      case EPIPE:
        isOpen = false
        return nil
      case let code: return StreamFailure(code: code)
      }
    }
    if let failure { throw failure }
  }

  /// - Returns: 0 or the `errno` that stopped the writing.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = SystemCall.repeated {
        rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      }
      if written >= 0 {
        rest = rest.dropFirst(written)
        continue
      }
      switch errno {
      case EAGAIN:
        // The parent process may have made the descriptor non-blocking.
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&request, 1, -1)
      case let code: return code
      }
    }
    return 0
  }
}

/// Results could not be written to where they were to go.
struct StreamFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The system's `errno`.
  var code: Int32

  var description: String { "the output cannot be written: " + SystemCall.words(code) }

  var exitCode: ExitCode {
    switch code {
    case ENOSPC, EDQUOT, EROFS, EFBIG: .notWritable
    default: .unexpected
    }
  }
}

/// The process's own streams.
enum StandardStreams {
  /// Results.
  static let output = TextStream(descriptor: STDOUT_FILENO)
  /// Progress and messages.
  static let error = TextStream(descriptor: STDERR_FILENO)

  /// Makes writing to a pipe without a reader an error that can be handled, in place of the process's
  /// sudden end, and a file that outgrows the process's limit (`ulimit -f`) an error like a full disk's. Child
  /// processes inherit it.
  static func ignoreSignals() {
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
  }
}
