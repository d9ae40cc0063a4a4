import Foundation
import TestSupport
import Testing

@testable import Reporting

/// The files of `jobs/` that other programs read.
@Suite(.timeLimit(.minutes(10)))
struct JobsFolderTests {
  private static let folder = Fixtures.checkout
    .appendingPathComponent("jobs")

  @Test(arguments: ["preheat.github.yml", "preheat-bundle.github.yml", "preheat.gitlab-ci.yml"])
  func workflowsAreYAML(name: String)
    async throws
  {
    try await OwnThread {
      guard try Judge.python("import yaml", "") != nil else { return }
      let text = try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
      let program = """
        import sys, yaml
        print(str(yaml.safe_load(sys.stdin.read())).count('preheat run '))
        """
      #expect(try Judge.python(program, text) == "1\n")
    }.value
  }

  @Test func systemdTakesTheService() async throws {
    try await OwnThread {
      guard FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze") else { return }
      let folder = try TemporaryFolder()
      for name in ["preheat.service", "preheat.timer"] {
        let text = try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
        // The command is looked for, too.
        try Data(text.replacing("/usr/local/bin/preheat", with: "/bin/true").utf8).write(
          to: folder.file(name))
      }
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/systemd-analyze")
      process.arguments =
        ["verify", "--man=no"] + ["preheat.service", "preheat.timer"].map { folder.file($0).path }
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }.value
  }

  @Test func crontabLinesHaveFiveTimesAUserAndACommand() throws {
    let text = try String(contentsOf: Self.folder.appendingPathComponent("preheat.cron"), encoding: .utf8)
    let line = try #require(text.split(separator: "\n").last)
    #expect(line.wholeMatch(of: /([0-9*,\/-]+ ){5} *preheat  .*preheat run .*\.job/) != nil)
    // cron ends a command at a percent sign.
    #expect(!line.contains("%"))
  }
}
