import Foundation
import TestSupport
import Testing

/// The files of `jobs/` that other programs read.
@Suite(.timeLimit(.minutes(10)))
struct JobsFolderTests {
  private static let folder = Fixtures.checkout
    .appendingPathComponent("jobs")

  /// What the steps of a workflow run in a shell, and which actions they use; null where the text is no YAML.
  private static let steps = """
    import sys, yaml, json
    tree = yaml.safe_load(sys.stdin.read())
    runs, uses, artifacts = [], [], []
    def walk(node):
        if isinstance(node, dict):
            runs.extend([node['run']] if isinstance(node.get('run'), str) else [])
            uses.extend([node['uses']] if 'uses' in node else [])
            if 'upload-artifact' in node.get('uses', ''): artifacts.append(node['with']['path'])
            for value in node.values(): walk(value)
        elif isinstance(node, list):
            for value in node: walk(value)
    walk(tree)
    # GitLab's jobs have their commands in lists.
    for job in tree.values():
        if isinstance(job, dict):
            runs.extend(job.get('before_script', []) + job.get('script', []) if 'script' in job else [])
            artifacts.extend(job['artifacts']['paths'] if 'artifacts' in job else [])
    print(json.dumps({'runs': runs, 'uses': uses, 'artifacts': artifacts}))
    """

  private struct Steps: Decodable {
    var runs: [String]
    var uses: [String]
    var artifacts: [String]
  }

  @Test(arguments: [
    "jobs/preheat.github.yml", "jobs/preheat-release.github.yml",
    "jobs/preheat.gitlab-ci.yml", "action.yml", ".github/workflows/release.yml",
  ])
  func workflowsRunShellAndPinnedActions(name: String) async throws {
    try await OwnThread {
      guard try Judge.python("import yaml", "") != nil else { return }
      let text = try String(contentsOf: Fixtures.checkout.appendingPathComponent(name), encoding: .utf8)
      let answer = try #require(try Judge.python(Self.steps, text))
      let steps = try JSONDecoder().decode(Steps.self, from: Data(answer.utf8))
      #expect(!steps.runs.isEmpty || steps.uses.contains { $0.hasPrefix("OWNER/preheat@v") })
      for action in steps.uses where !action.hasPrefix("OWNER/") {
        #expect(action.wholeMatch(of: /actions\/[a-z\/-]+@[0-9a-f]{40}/) != nil, "\(action)")
      }
      // Their Node.js is the one that runners have; a digest and its version are the same in every file.
      let newest = ["checkout": 7, "cache": 6, "upload-artifact": 7, "download-artifact": 8]
      for pin in text.matches(of: /actions\/([a-z-]+)[a-z\/]*@[0-9a-f]{40}(?: # v([0-9]+)\.[0-9.]+)?\n/) {
        #expect(pin.2.flatMap { Int($0) } == newest[String(pin.1)], "\(pin.0)")
      }
      // Only what is started on the default branch keeps a cache, and an artifact is never a cache folder.
      let saves = text.matches(of: /uses: actions\/cache(\/save)?@/).count
      #expect(saves == (name.hasPrefix("jobs/") && name.contains("github") ? 1 : 0), "\(name)")
      for artifact in steps.artifacts { #expect(!artifact.contains("out/"), "\(artifact)") }
      let folder = try TemporaryFolder()
      for (index, command) in steps.runs.enumerated() {
        // What a workflow puts in by itself would be put into the shell's text: variables take it there instead.
        #expect(!command.contains("${{"), "\(command)")
        try Data("#!/usr/bin/env bash\nset -e\n\(command)\n".utf8).write(to: folder.file("\(index)"))
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        shell.arguments = ["bash", "-n", folder.file("\(index)").path]
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0, "\(command)")
      }
    }.value
  }

  @Test func systemdTakesTheService() async throws {
    try await OwnThread {
      guard FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze") else { return }
      let folder = try TemporaryFolder()
      for name in ["preheat@.service", "preheat@.timer"] {
        let text = try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
        // The command is looked for, too.
        try Data(text.replacing("ExecStart=preheat", with: "ExecStart=/bin/true").utf8).write(
          to: folder.file(name))
      }
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/systemd-analyze")
      process.arguments =
        ["verify", "--man=no"]
        + ["preheat@catalog.service", "preheat@catalog.timer"].map { folder.file($0).path }
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
