import Foundation
import TestSupport
import Testing

@testable import PreheatCommand

@Suite(.timeLimit(.minutes(10))) struct MarkdownReferenceTests {
  let text = MarkdownReference(.preheat).text

  @Test func thePageHasEveryCommandOptionVariableAndExitCode() {
    for command in OptionTable.preheat.commands {
      #expect(text.contains("\n## preheat \(command.name)\n"))
      for option in command.options {
        #expect(text.contains("| `\(option.fullUsage)` |"))
        if let variable = option.environment { #expect(text.contains("| `\(variable)` |")) }
      }
    }
    for command in OptionTable.preheat.commands { #expect(text.contains("`\(command.name)`")) }
    for code in ExitCode.allCases { #expect(text.contains("\n| \(code.rawValue) | \(code.meaning) |")) }
  }

  @Test func everyRowOfATableHasItsColumns() {
    var columns = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      guard line.hasPrefix("|") else {
        columns = 0
        continue
      }
      let count = line.replacing("\\|", with: "").count { $0 == "|" }
      #expect(columns == 0 || count == columns, "\(line)")
      columns = count
    }
  }

  private static let folder = Fixtures.checkout.appendingPathComponent("docs")

  @Test(.enabled(if: FileManager.default.fileExists(atPath: folder.path)))
  func theDocumentationAgreesWithTheTable() throws {
    let page = Self.folder.appendingPathComponent("command.md")
    let written = try? String(contentsOf: page, encoding: .utf8)
    #expect(written == text, "docs/command.md is out of date; run `make docs`")
  }
}
