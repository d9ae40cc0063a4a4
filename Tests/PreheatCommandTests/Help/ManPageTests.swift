import Foundation
import TestSupport
import Testing

@testable import PreheatCommand

@Suite(.timeLimit(.minutes(10))) struct ManPageTests {
  let text = ManPage(.preheat).text

  @Test func thePageHasEveryCommandOptionVariableAndExitCode() {
    let plain = text.replacing("\\-", with: "-").replacing("\\(aq", with: "'")
    for command in OptionTable.preheat.commands {
      #expect(plain.contains(".SS \(command.name)\n"))
      for option in command.options {
        #expect(plain.contains(".B \"\(option.fullUsage)\"\n"))
        if let variable = option.environment { #expect(plain.contains(".B \(variable)\n")) }
      }
    }
    for code in ExitCode.allCases { #expect(plain.contains(".B \(code.rawValue)\n")) }
  }

  @Test func noLineIsTakenForARequestByAccident() {
    let requests: Set<Substring> = [".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".BR", ".I", ".br"]
    for line in text.split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
      #expect(requests.contains(line.prefix { $0 != " " }), "\(line)")
    }
    #expect(text.utf8.allSatisfy { $0 < 128 })
  }

  @Test(.enabled(if: Tool.isInstalled("man"))) func manHasNoWarnings() throws {
    let folder = try TemporaryFolder()
    try text.write(to: folder.file("preheat.1"), atomically: true, encoding: .utf8)
    // Only what goes to standard error: the page itself has the word "warnings" in it.
    let line = "man --warnings -l '\(folder.file("preheat.1").path)' 2>&1 >/dev/null"
    let result = try #require(Tool("sh")).run(["-c", line])
    #expect(result.status == 0)
    #expect(result.output == "")
  }

  @Test(.enabled(if: Tool.isInstalled("mandoc"))) func mandocHasNothingToSay() throws {
    let folder = try TemporaryFolder()
    try text.write(to: folder.file("preheat.1"), atomically: true, encoding: .utf8)
    let result = try #require(Tool("mandoc")).run(["-Tlint", folder.file("preheat.1").path])
    #expect(result.output == "")
  }
}
