import Foundation
import TestSupport
import Testing

/// The steps of `action.yml` as GitHub runs them: in Bash, with the inputs in variables.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct ActionTests {
  /// A step's command, and which input each of its variables holds.
  private static func step(_ name: String) throws -> (command: String, inputs: [String: String]) {
    let text = try SourceFiles.text("action.yml")
    let step = try #require(text.components(separatedBy: "    - name: ").first { $0.hasPrefix("\(name)\n") })
    let command = try #require(step.firstMatch(of: /run: '(.+)'\n/)?.1)
    let inputs = step.matches(of: /(\w+): \$\{\{ inputs\.(\w+) \}\}\n/).map { (String($0.2), String($0.1)) }
    return (String(command), Dictionary(uniqueKeysWithValues: inputs))
  }

  private static func run(
    _ inputs: [String: String], in folder: URL, step name: String = "Warm the caches", path: String = ""
  ) throws -> BuiltCommand.Result {
    let step = try step(name)
    try Data("exec 2>&1\n\(step.command)".utf8).write(to: folder.appendingPathComponent("step.sh"))
    let programs = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
    var environment = [
      "GITHUB_ACTION_PATH": Fixtures.checkout.path, "HOME": folder.path, "REPOSITORY": "a/b",
      "PATH": "\(path)\(BuiltCommand.products.path):\(programs)",
    ]
    for name in ["GITHUB_OUTPUT", "GITHUB_PATH"] {
      environment[name] = folder.appendingPathComponent(name).path
    }
    for (input, variable) in step.inputs { environment[variable] = inputs[input] ?? "" }
    return try Program.run(
      ["bash", "--noprofile", "--norc", "-eo", "pipefail", "step.sh"], in: folder, environment: environment)
  }

  @Test func allLinesOfTheInputsReachTheCommand() throws {
    let scene = try Scene(Scene.ordinaryLines[0])
    try scene.write(Scene.ordinaryLines[1], to: "a second.job")
    try Self.run(
      [
        "jobs": "test.job\n'a second.job'\n", "arguments": "--retries 0 --quiet\n--metrics \"$(id) *.prom\"",
        "report": "page",
      ], in: scene.folder.url
    ).expect(0)
    #expect(try scene.entries().count == 12)
    let names = try scene.folder.names()
    #expect(names.contains("$(id) *.prom"), "nothing is expanded: \(names)")
    #expect(names.contains("page"))
  }

  /// A guard in the second line is a guard, and a quote that does not end is an error.
  @Test(arguments: [
    ("--retries 0\n--trusted-root .\n", "trusted"), ("--retries '0", "::error::the input arguments"),
  ])
  func aTrustedRootInTheSecondLineHolds(arguments: String, words: String) throws {
    let scene = try Scene(Scene.ordinaryLines[0])
    try Self.run(["jobs": "test.job", "arguments": arguments], in: scene.folder.url).expect(2, prints: words)
    #expect(!scene.folder.has("cache"))
  }

  /// The report may lie anywhere; the name of its artifact has only what GitHub takes.
  @Test(arguments: [
    ("out/report", "out-report"), ("./page", "page"), ("/tmp/a b:c/", "tmp-a-b-c"), ("..", "preheat-report"),
  ])
  func theArtifactHasANameThatIsAllowed(report: String, name: String) throws {
    let folder = try TemporaryFolder()
    _ = try Self.run(["jobs": "missing.job", "report": report, "arguments": "--help"], in: folder.url)
    #expect(try folder.text("GITHUB_OUTPUT") == "artifact=\(name)\n")
  }

  /// A preheat that is there is used, unless another release is asked for.
  @Test(arguments: [
    ("", "is installed"), ("v0.1.0", "is installed"), ("v0.9.0", "download v0.9.0"),
    ("v0.1", "download v0.1 "),
  ])
  func theReleaseThatIsAskedForIsInstalled(version: String, expected: String) throws {
    let folder = try TemporaryFolder()
    let tools = folder.file("tools")
    try FileManager.default.createDirectory(at: tools, withIntermediateDirectories: true)
    // Says what it was asked for, and has nothing.
    let scripts = ["gh": "echo \"$2 $3\"; exit 7", "preheat": "echo preheat 0.1.0"]
    for (name, line) in scripts {
      try folder.writeProgram("#!/bin/sh\n\(line)\n", to: "tools/\(name)")
    }
    let made = try Self.run(
      ["version": version], in: folder.url, step: "Install Preheat", path: "\(tools.path):")
    #expect(made.output.replacing("\n", with: " ").contains(expected), "\(made)")
    #expect(made.status == (expected == "is installed" ? 0 : 7), "\(made)")
  }
}
