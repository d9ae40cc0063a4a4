import ClientKit
import ClientRegistry
import Syntax
import TestSupport
import Testing

@testable import PreheatCommand

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
        ["Nuke 10 to 14:", "Kingfisher 5 to 8:", "SDWebImage 5:"]
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
    try await preheat("help", word).expect(
      2, "no command or topic is called '\(word)'; \(advice)", isSilent: true)
  }

  @Test func everyDeclaredKindIsInTheSchema() throws {
    let declared = try SourceFiles.below("Sources").values.flatMap { text in
      text.matches(of: /JSONMembers<\w+>\(\s*type: "([a-z]+)"/).map { String($0.output.1) }
    }
    #expect(declared.sorted() == OutputKinds.all.compactMap { $0.type }.sorted())
    #expect(Set(declared).count == declared.count && declared.count > 20)
  }

  @Test func aTopicInPlaceOfACommandIsPointedTo() async throws {
    let outcome = try await preheat("exit-codes")
    #expect(outcome.messages.contains("did you mean 'preheat help exit-codes'?"))
  }

  /// What is read from the environment stands in the list, or nobody finds it.
  @Test func everyVariableThatIsReadIsListed() throws {
    let text = HelpPage.topic(.environment, .preheat).text
    var names: Set<String> = []
    for source in try SourceFiles.below("Sources").values {
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
