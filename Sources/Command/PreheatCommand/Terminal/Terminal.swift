import Foundation

/// Abilities of the stream that messages go to.
struct Terminal: Sendable, Hashable {
  /// Whether colours are wanted: a terminal that is not dumb, and no `NO_COLOR`.
  var hasColour: Bool
  /// Whether a line may be rewritten in place: a terminal that is not dumb, outside CI.
  var canRewrite: Bool
  /// A width that holds whatever the window is; nil to ask the window.
  var fixedWidth: Int?

  /// Decides from the environment.
  ///
  /// `NO_COLOR` counts when it is set to anything but the empty text (no-color.org); `CI` when it is
  /// set to anything but the empty text, `0` or `false`.
  init(isTerminal: Bool, environment: [String: String]) {
    let isDumb = environment["TERM"] == "dumb"
    let isCI = !["", "0", "false"].contains(environment["CI"]?.lowercased() ?? "")
    hasColour = isTerminal && !isDumb && (environment["NO_COLOR"] ?? "").isEmpty
    canRewrite = isTerminal && !isDumb && !isCI
    fixedWidth = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// The terminal, file or pipe behind a stream.
  static func of(_ stream: TextStream, environment: [String: String]) -> Terminal {
    Terminal(isTerminal: isatty(stream.descriptor) == 1, environment: environment)
  }

  /// Columns of the window behind a descriptor, 80 where there is none. Cheap enough to ask before
  /// each drawing, so a resized window needs no signal.
  func width(of descriptor: Int32) -> Int {
    if let fixedWidth { return fixedWidth }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}
