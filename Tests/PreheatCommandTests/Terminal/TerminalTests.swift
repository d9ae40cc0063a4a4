import Testing

@testable import PreheatCommand

@Suite(.timeLimit(.minutes(10))) struct TerminalTests {
  static let rows: [(Bool, [String: String], colour: Bool, rewrite: Bool)] = [
    (true, [:], true, true),
    (true, ["TERM": "xterm-256color"], true, true),
    (false, [:], false, false),
    (true, ["NO_COLOR": "1"], false, true),
    (true, ["NO_COLOR": ""], true, true),
    (true, ["TERM": "dumb"], false, false),
    (true, ["CI": "true"], true, false),
    (true, ["CI": "1", "NO_COLOR": "x"], false, false),
    (true, ["CI": "false"], true, true),
    (true, ["CI": ""], true, true),
    (false, ["TERM": "xterm", "CI": "true"], false, false),
  ]

  @Test(arguments: rows) func theEnvironmentDecidesWhatATerminalShows(
    isTerminal: Bool, environment: [String: String], colour: Bool, rewrite: Bool
  ) {
    let terminal = Terminal(isTerminal: isTerminal, environment: environment)
    #expect(terminal.hasColour == colour)
    #expect(terminal.canRewrite == rewrite)
  }

  @Test(arguments: [("100", 100), ("0", 80), ("-5", 80), ("wide", 80), ("", 80)])
  func columnsGivesTheWidthAndAFileHasEighty(columns: String, width: Int) throws {
    let capture = try Capture()
    let terminal = Terminal.of(capture.stream, environment: ["COLUMNS": columns])
    #expect(terminal.width(of: capture.stream.descriptor) == width)
    #expect(!terminal.canRewrite)
  }
}
