/// How much a line matters, in the numbers of syslog(3).
package enum LogPriority: Int, Sendable, Hashable {
  case error = 3
  case warning = 4
  case note = 6
  case detail = 7

  /// What is said at this level of talkativeness.
  init(_ level: Verbosity) {
    self =
      switch level {
      case .quiet: .error
      case .normal: .note
      case .verbose: .detail
      }
  }

  /// The text with `<3>` in front of each of its lines, as the system journal reads them (sd-daemon(3)).
  package func mark(_ text: String) -> String {
    text.split(separator: "\n").map { "<\(rawValue)>\($0)\n" }.joined()
  }
}
