import Foundation
import TestSupport
import Testing

@testable import PreheatCommand

@Suite(.timeLimit(.minutes(10))) struct MarkdownReferenceTests {
  let text = HelpPage.reference(.preheat)

  @Test func thePageHasEveryCommandOptionVariableAndExitCode() {
    for command in OptionTable.preheat.commands {
      #expect(text.contains("\n## preheat \(command.name)\n"))
      for option in command.options {
        let variable = option.environment.map { " (`\($0)`)" } ?? ""
        let meaning = option.sentences.joined(separator: " ")
        let item = "\n- `\(option.fullUsage)`\(variable): \(meaning)"
        #expect(text.contains(item), "\(item)")
      }
    }
    for command in OptionTable.preheat.commands { #expect(text.contains("`\(command.name)`")) }
    for code in ExitCode.allCases { #expect(text.contains("\n- `\(code.rawValue)`: \(code.meaning)")) }
  }

  @Test func theSettingsOfAJobAreListedByTopicWithTheirFlags() {
    let text = HelpPage.topic(.settings, .preheat).markdown(level: 3)
    for row in OptionTable.preheat.jobs.jobRows {
      #expect(text.contains("\n### \(row.topic.rawValue)\n") || text.hasPrefix("### \(row.topic.rawValue)\n"))
      let flag = row.places.contains(.flag) ? " (`--\(row.flag)`)" : ""
      #expect(text.contains("\n- `\(row.example)`\(flag): "), "\(row.name)")
    }
  }

  private static let folder = Fixtures.checkout.appendingPathComponent("docs")

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: folder.path)),
    arguments: [("job-file.md", HelpTopic.settings), ("versions.md", .versions)])
  func theTablesOfTheDocumentationAreThoseOfTheProgram(name: String, topic: HelpTopic) throws {
    let page = try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
    let begin = try #require(
      page.firstRange(of: "<!-- \(topic.rawValue): made by `make docs`, changes here are lost -->\n"))
    let end = try #require(page.firstRange(of: "<!-- end of \(topic.rawValue) -->\n"))
    #expect(
      page[begin.upperBound..<end.lowerBound] == HelpPage.topic(topic, .preheat).markdown(level: 3),
      "docs/\(name) is out of date; run `make docs`")
  }
}
