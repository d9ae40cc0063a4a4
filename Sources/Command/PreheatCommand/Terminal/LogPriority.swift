import Foundation

extension TextStream {
  /// Whether it leads to the system journal: `JOURNAL_STREAM` holds device and inode of its socket (systemd.exec(5)).
  func isJournal(_ environment: [String: String]) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0
      && environment["JOURNAL_STREAM"] == "\(status.st_dev):\(status.st_ino)"
  }
}

/// How much a line matters, in the numbers of syslog(3).
enum LogPriority: Int, Sendable, Hashable {
  case error = 3
  case warning = 4
  case note = 6
  case detail = 7

  /// The priority of messages of this verbosity.
  init(_ level: Verbosity) {
    self =
      switch level {
      case .quiet: .error
      case .normal: .note
      case .verbose: .detail
      }
  }

  /// The text with `<3>` in front of each of its lines, as the system journal reads them (sd-daemon(3)).
  func mark(_ text: String) -> String {
    text.split(separator: "\n").map { "<\(rawValue)>\($0)\n" }.joined()
  }
}
