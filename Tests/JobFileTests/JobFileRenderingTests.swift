import JobSupport
import Syntax
import Testing

@Suite(.timeLimit(.minutes(10)))
struct JobFileRenderingTests {
  private func diagnostic(_ line: String, column: Int, help: String? = nil) -> Diagnostic {
    Diagnostic(.error, file: "a.job", line: 3, column: column, message: "no", help: help, sourceLine: line)
  }

  @Test func aDiagnosticIsPlaceMessageLineCaretAndHelp() {
    #expect(
      diagnostic("polcy automatic", column: 1, help: "did you mean 'policy'?").rendered()
        == """
        a.job:3:1: error: no
          polcy automatic
          ^
          help: did you mean 'policy'?
        """)
    #expect(diagnostic("", column: 1).rendered() == "a.job:3:1: error: no")
  }

  @Test func tabsAndWideCharactersKeepTheCaretInPlace() {
    #expect(diagnostic("\ta\tcrad", column: 4).rendered().hasSuffix("\n  \t \t^"))
    #expect(diagnostic("日本 crad", column: 4).rendered().hasSuffix("\n       ^"))
  }

  @Test func longLinesAreShownAroundTheCaret() {
    let line = String(repeating: "a", count: 500) + "X" + String(repeating: "b", count: 500)
    let rows = diagnostic(line, column: 501).rendered().split(separator: "\n")
    #expect(rows[1].count < 110)
    #expect(rows[1].hasPrefix("  …a") && rows[1].hasSuffix("b…"))
    #expect(
      rows[1].firstIndex(of: "X")
        == rows[2].firstIndex(of: "^").map {
          rows[1].index(rows[1].startIndex, offsetBy: rows[2].distance(from: rows[2].startIndex, to: $0))
        })
  }

  @Test func nothingInvisibleReachesTheTerminal() {
    let text = "\u{1B}[31m\u{202E}evil\u{7}\u{2028}\u{9B}"
    let shown = Diagnostic(
      .warning, file: text, line: 1, column: 3, message: text, help: text, sourceLine: text
    ).rendered()
    #expect(shown.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
    #expect(!shown.contains("\u{202E}") && !shown.contains("\u{2028}"))
    #expect(shown.contains("\\u{1b}[31m\\u{202e}evil"))
    let job = JobFileReading(
      JobFileReading.head + "/1.png cr\u{202E}ad\n/2.png \u{200B}card\n/3.png \u{1B}[0m")
    #expect(job.errors.count == 3)
    #expect(
      !job.diagnostics.rendered().unicodeScalars.contains {
        "\u{202E}\u{200B}\u{1B}".unicodeScalars.contains($0)
      })
  }

  @Test func coloursAreOnlyThereWhenAskedFor() {
    #expect(diagnostic("x", column: 1).rendered(color: true).contains("\u{1B}[1;31merror:\u{1B}[0m"))
    #expect(!diagnostic("x", column: 1).rendered(color: false).contains("\u{1B}"))
  }

  @Test func aColumnBehindTheLineIsShownAtItsEnd() {
    #expect(diagnostic("ab", column: 900).rendered().hasSuffix("\n    ^"))
  }
}
