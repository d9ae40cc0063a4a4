import TestSupport
import Testing

@testable import PreheatCommand

@Suite(.timeLimit(.minutes(10))) struct ManPageTests {
  private static let pages = HelpPage.all(.preheat)

  private static func roff(_ page: HelpPage) -> String { page.manPage(others: pages) }

  private static func plain(_ page: HelpPage) -> String {
    roff(page).replacing("\\-", with: "-").replacing("\\(aq", with: "'")
  }

  @Test func everyCommandAndTopicHasAPage() {
    let paths = Self.pages.map(\.manPath)
    #expect(paths.first == "man1/preheat.1" && Set(paths).count == paths.count)
    for command in OptionTable.preheat.commands { #expect(paths.contains("man1/preheat-\(command.name).1")) }
    #expect(paths.contains("man5/preheat-job-file.5") && paths.contains("man7/preheat-processors.7"))
    for page in Self.pages {
      let name = page.name.uppercased().replacing("-", with: "\\-")
      #expect(Self.roff(page).hasPrefix(".TH \(name) \(page.section) "))
      #expect(Self.roff(page).utf8.allSatisfy { $0 < 128 })
    }
  }

  @Test func theProgramsPageHasCommandsVariablesAndExitCodes() throws {
    let page = Self.plain(try #require(Self.pages.first))
    for command in OptionTable.preheat.commands {
      #expect(page.contains(".B \"\(command.name)\"\n"))
      for option in command.options {
        if let variable = option.environment { #expect(page.contains(".B \"\(variable)\"\n")) }
      }
      #expect(page.contains(".BR preheat-\(command.name) (1)"))
    }
    for code in ExitCode.allCases { #expect(page.contains(".B \"\(code.rawValue)\"\n")) }
  }

  @Test func aPageHasTheOptionsOfItsCommand() throws {
    for command in OptionTable.preheat.commands {
      let page = Self.plain(try #require(Self.pages.first { $0.name == "preheat-\(command.name)" }))
      for option in command.options { #expect(page.contains(".B \"\(option.fullUsage)\"\n")) }
    }
  }

  @Test func noLineIsTakenForARequestByAccident() {
    let requests: Set<Substring> = [
      ".TH", ".SH", ".PP", ".TP", ".B", ".BR", ".br", ".nf", ".fi",
    ]
    for line in Self.pages.map(Self.roff).joined().split(separator: "\n")
    where line.hasPrefix(".") || line.hasPrefix("'") {
      #expect(requests.contains(line.prefix { $0 != " " }), "\(line)")
    }
  }

  @Test(.enabled(if: Program.isInstalled("man"))) func manHasNoWarnings() throws {
    let folder = try TemporaryFolder()
    for page in Self.pages {
      try Self.roff(page).write(to: folder.file(page.name), atomically: true, encoding: .utf8)
      // Only what goes to standard error: a page may have the word "warnings" in it.
      let line = "man --warnings -l '\(folder.file(page.name).path)' 2>&1 >/dev/null"
      let result = try Program.run(["sh", "-c", line])
      #expect(result.status == 0 && result.output == "", "\(page.name): \(result.output)")
    }
  }

  @Test(.enabled(if: Program.isInstalled("mandoc"))) func mandocHasNothingToSay() throws {
    let folder = try TemporaryFolder()
    try Self.roff(Self.pages[0]).write(to: folder.file("preheat.1"), atomically: true, encoding: .utf8)
    let result = try Program.run(["mandoc", "-Tlint", folder.file("preheat.1").path])
    #expect(result.output == "")
  }

  @Test func allAreWrittenAsAnInstallationHasThem() async throws {
    let folder = try TemporaryFolder()
    try await Outcome(of: ["help", "--man-pages", folder.file("man").path]).expect(0, isSilent: true)
    for page in Self.pages {
      #expect(try folder.text("man/\(page.manPath)") == Self.roff(page))
    }
    let one = try await Outcome(of: ["help", "--man", "job-file"])
    #expect(one.output.hasPrefix(".TH PREHEAT\\-JOB\\-FILE 5"))
    try await Outcome(of: ["help", "--man-pages", "x", "run"]).expect(2)
  }
}
