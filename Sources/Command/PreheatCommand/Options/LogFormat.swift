import Foundation

/// How lines on standard error begin.
package enum LogFormat: String, Sendable, Hashable, CaseIterable {
  /// `journald` where standard error leads to the system journal, `plain` elsewhere.
  case auto
  case plain
  /// With a priority such as `<6>`, by which the system journal sorts them (sd-daemon(3)).
  case journald

  /// `auto` decided: `JOURNAL_STREAM` holds the device and inode of the journal's socket, to be compared
  /// with those of the stream (systemd.exec(5)).
  package func resolved(for stream: TextStream, environment: [String: String]) -> LogFormat {
    guard self == .auto else { return self }
    var status = stat()
    guard let place = environment["JOURNAL_STREAM"], fstat(stream.descriptor, &status) == 0 else {
      return .plain
    }
    return place == "\(status.st_dev):\(status.st_ino)" ? .journald : .plain
  }
}
