import Foundation
import Text

/// The process's own streams and environment.
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

  /// All of standard input.
  static func readAll() throws(StreamFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = SystemCall.repeated { read(STDIN_FILENO, &buffer, buffer.count) }
      if count == 0 { return bytes }
      guard count > 0 else { throw StreamFailure(code: errno) }
      bytes += buffer[..<count]
    }
  }
}
