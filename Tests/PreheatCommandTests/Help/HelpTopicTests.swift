import ClientKit
import ClientRegistry
import Foundation
import Settings
import TestSupport
import Testing

@testable import PreheatCommand

@Suite(.timeLimit(.minutes(10))) struct HelpTopicTests {
  func preheat(_ arguments: String...) async throws -> Outcome { try await Outcome(of: arguments) }

  @Test func theNameAloneListsCommandsAndTopics() async throws {
    let outcome = try await preheat()
    #expect(outcome.code == 2 && outcome.output == "", "nothing was asked for")
    for command in OptionTable.preheat.commands where command.name != "help" {
      #expect(outcome.messages.contains("\n  \(command.name.padded(to: 10))\(command.summary)\n"))
    }
    for topic in HelpTopic.allCases { #expect(outcome.messages.contains(topic.rawValue)) }
    #expect(outcome.messages.contains("a command is missing"))
  }

  @Test(arguments: HelpTopic.allCases) func aTopicFitsATerminalAndSaysWhatItHas(topic: HelpTopic) async throws
  {
    let outcome = try await preheat("help", topic.rawValue)
    let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(outcome.code == 0 && lines.count > 10)
    #expect(lines.filter { $0.count > 80 || $0.hasSuffix(" ") } == [])
    let words: [String] =
      switch topic {
      case .jobFile: OptionTable.preheat.jobs.jobRows.map(\.name) + ["id=", "noDiskRead", "sha256="]
      case .processors: ClientRegistry.libraries.flatMap { [$0.title] + $0.newestClient.processorNames }
      case .environment: OptionTable.preheat.options.compactMap(\.environment)
      case .exitCodes: ExitCode.allCases.map { "\n  \($0.rawValue) " }
      }
    for word in words { #expect(outcome.output.contains(word), "\(word)") }
  }

  @Test(arguments: [
    ("procesors", "did you mean 'processors'?"), ("exit-code", "did you mean 'exit-codes'?"),
    ("rnu", "did you mean 'run'?"), ("gardening", "topics are job-file, processors, environment, exit-codes"),
  ]) func anUnknownTopicGetsTheNearest(word: String, advice: String) async throws {
    let outcome = try await preheat("help", word)
    #expect(outcome.code == 2 && outcome.output == "")
    #expect(
      outcome.messages.contains("no command or topic is called '\(word)'; \(advice)"), "\(outcome.messages)")
  }

  @Test func aTopicInPlaceOfACommandIsPointedTo() async throws {
    let outcome = try await preheat("exit-codes")
    #expect(outcome.messages.contains("did you mean 'preheat help exit-codes'?"))
  }

  @Test(arguments: Shell.allCases) func topicsAreCompleted(shell: Shell) {
    let text = shell.completions(.preheat)
    for topic in HelpTopic.allCases { #expect(text.contains(" \(topic.rawValue)")) }
  }

  /// What is read from the environment stands in the list, or nobody finds it.
  @Test func everyVariableThatIsReadIsListed() throws {
    let text = HelpText(.preheat).topic(.environment)
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

@Suite(.timeLimit(.minutes(10))) struct ManPagesTests {
  let pages = ManPage(.preheat).pages

  @Test func everyCommandAndTopicHasAPage() {
    let paths = pages.map(\.path)
    #expect(paths.first == "man1/preheat.1" && Set(paths).count == paths.count)
    for command in OptionTable.preheat.commands { #expect(paths.contains("man1/preheat-\(command.name).1")) }
    #expect(paths.contains("man5/preheat-job-file.5") && paths.contains("man7/preheat-processors.7"))
    for page in pages {
      let name = page.name.uppercased().replacing("-", with: "\\-")
      #expect(page.text.hasPrefix(".TH \(name) \(page.section) "))
      #expect(page.text.utf8.allSatisfy { $0 < 128 })
    }
  }

  @Test func aPageHasTheOptionsOfItsCommand() throws {
    for command in OptionTable.preheat.commands {
      let page = try #require(pages.first { $0.name == "preheat-\(command.name)" })
      for option in command.options {
        #expect(page.text.replacing("\\-", with: "-").contains(".B \"\(option.fullUsage)\"\n"))
      }
    }
  }

  @Test(.enabled(if: Tool.isInstalled("man"))) func manHasNoWarnings() throws {
    let folder = try TemporaryFolder()
    for page in pages {
      try page.text.write(to: folder.file(page.name), atomically: true, encoding: .utf8)
      let line = "man --warnings -l '\(folder.file(page.name).path)' 2>&1 >/dev/null"
      let result = try #require(Tool("sh")).run(["-c", line])
      #expect(result.status == 0 && result.output == "", "\(page.name): \(result.output)")
    }
  }

  @Test func allAreWrittenAsAnInstallationHasThem() async throws {
    let folder = try TemporaryFolder()
    let outcome = try await Outcome(of: ["help", "--man-pages", folder.file("man").path])
    #expect(outcome.code == 0 && outcome.output == "")
    for page in pages {
      #expect(try String(contentsOf: folder.file("man/\(page.path)"), encoding: .utf8) == page.text)
    }
    let one = try await Outcome(of: ["help", "--man", "job-file"])
    #expect(one.output.hasPrefix(".TH PREHEAT\\-JOB\\-FILE 5"))
    let both = try await Outcome(of: ["help", "--man-pages", "x", "run"])
    #expect(both.code == 2)
  }
}
