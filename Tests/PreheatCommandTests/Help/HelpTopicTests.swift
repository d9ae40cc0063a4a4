import ClientKit
import ClientRegistry
import Foundation
import Syntax
import TestSupport
import Testing

@testable import PreheatCommand
@testable import Text

@Suite(.timeLimit(.minutes(10))) struct HelpTopicTests {
  func preheat(_ arguments: String...) async throws -> Outcome { try await Outcome(of: arguments) }

  @Test(arguments: HelpTopic.allCases) func aTopicFitsATerminalAndSaysWhatItHas(topic: HelpTopic) async throws
  {
    let outcome = try await preheat("help", topic.rawValue)
    let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(outcome.code == 0 && lines.count > 10)
    #expect(lines.filter { $0.count > 80 || $0.hasSuffix(" ") } == [])
    let words: [String] =
      switch topic {
      case .jobFile: ["client", "id=", "noDiskRead", "sha256="]
      case .settings: OptionTable.preheat.jobs.jobRows.map(\.name)
      case .versions: ClientRegistry.libraries.flatMap { ["\($0.newest)", "\($0.name) "] }
      case .processors:
        ["Nuke 10 to 13:", "Kingfisher 5 to 8:", "SDWebImage 5:"]
          + ClientRegistry.libraries.flatMap { [$0.title] + $0.newestClient.processorRows.names }
      case .environment: OptionTable.preheat.options.compactMap(\.environment)
      case .exitCodes: ExitCode.allCases.map { "\n  \($0.rawValue) " }
      }
    for word in words { #expect(outcome.output.contains(word), "\(word)") }
  }

  @Test(arguments: [
    ("procesors", "did you mean 'processors'?"), ("exit-code", "did you mean 'exit-codes'?"),
    ("rnu", "did you mean 'run'?"), ("conditions", "see docs/caches.md"),
    ("gardening", "topics are job-file, settings, processors, versions, environment, exit-codes"),
  ]) func anUnknownTopicGetsTheNearest(word: String, advice: String) async throws {
    let outcome = try await preheat("help", word)
    #expect(outcome.code == 2 && outcome.output == "")
    #expect(
      outcome.messages.contains("no command or topic is called '\(word)'; \(advice)"), "\(outcome.messages)")
  }

  @Test func theSchemaIsOneJSONObject() async throws {
    let outcome = try await preheat("help", "schema")
    let schema = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    #expect(schema?["properties"] != nil)
    #expect(try await preheat("help", "schema", "--man").code == 2)
  }

  @Test func everyDeclaredKindIsInTheSchema() throws {
    let folder = Fixtures.checkout.appendingPathComponent("Sources/Command").path
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }
    let declared = try files.flatMap { file in
      try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8).matches(
        of: /JSONMembers<\w+>\(\s*type: "([a-z]+)"/
      ).map { String($0.output.1) }
    }
    #expect(declared.sorted() == OutputKinds.all.compactMap { $0.type }.sorted())
    #expect(Set(declared).count == declared.count && declared.count > 20)
  }

  @Test func aTopicInPlaceOfACommandIsPointedTo() async throws {
    let outcome = try await preheat("exit-codes")
    #expect(outcome.messages.contains("did you mean 'preheat help exit-codes'?"))
  }

  @Test func topicsAreCompleted() {
    let text = Completions(table: .preheat).text(["help", ""])
    for topic in HelpTopic.allCases { #expect(text.contains("\n\(topic.rawValue)\t")) }
  }

  /// What is read from the environment stands in the list, or nobody finds it.
  @Test func everyVariableThatIsReadIsListed() throws {
    let text = HelpPage.topic(.environment, .preheat).text
    let sources = Fixtures.checkout.appendingPathComponent("Sources")
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    var names: Set<String> = []
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      let source = try String(contentsOf: file, encoding: .utf8)
      for line in source.split(separator: "\n")
      where line.contains("environment[\"") || line.contains("value(\"") || line.contains("value(of: \"") {
        for match in line.matches(of: /"([A-Za-z_]+)"/) where match.1.contains(/^[A-Z]+(_[A-Z]+)+$|_proxy$/) {
          names.insert(String(match.1))
        }
      }
    }
    #expect(names.count > 15, "\(names)")
    for name in names.sorted() { #expect(text.contains(name), "\(name)") }
  }
}
