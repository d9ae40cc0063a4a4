import Foundation

/// How lines on standard error begin.
enum LogFormat: String, Sendable, Hashable, CaseIterable {
  /// `journald` where standard error leads to the system journal, `plain` elsewhere.
  case auto
  case plain
  /// With a priority such as `<6>`, by which the system journal sorts them (sd-daemon(3)).
  case journald

  /// `auto` decided: `JOURNAL_STREAM` holds the device and inode of the journal's socket, to be compared
  /// with those of the stream (systemd.exec(5)).
  func resolved(for stream: TextStream, environment: [String: String]) -> LogFormat {
    guard self == .auto else { return self }
    var status = stat()
    guard let place = environment["JOURNAL_STREAM"], fstat(stream.descriptor, &status) == 0 else {
      return .plain
    }
    return place == "\(status.st_dev):\(status.st_ino)" ? .journald : .plain
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
