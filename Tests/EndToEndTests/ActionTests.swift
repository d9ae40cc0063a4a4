import Foundation
import TestSupport
import Testing

/// The steps of `action.yml` as GitHub runs them: in Bash, with the inputs in variables.
@Suite(.timeLimit(.minutes(10)))
struct ActionTests {
  /// A step's command, and which input each of its variables holds.
  private static func step(_ name: String) throws -> (command: String, inputs: [String: String]) {
    let text = try String(contentsOf: Fixtures.checkout.appendingPathComponent("action.yml"), encoding: .utf8)
    let step = try #require(text.components(separatedBy: "    - name: ").first { $0.hasPrefix("\(name)\n") })
    let command = try #require(step.firstMatch(of: /run: '(.+)'\n/)?.1)
    let inputs = step.matches(of: /(\w+): \$\{\{ inputs\.(\w+) \}\}\n/).map { (String($0.2), String($0.1)) }
    return (String(command), Dictionary(uniqueKeysWithValues: inputs))
  }

  private static func run(_ inputs: [String: String], in folder: URL) throws -> (
    status: Int32, output: String
  ) {
    let step = try step("Warm the caches")
    try Data(step.command.utf8).write(to: folder.appendingPathComponent("step.sh"))
    let output = folder.appendingPathComponent("output")
    try Data().write(to: output)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "step.sh"]
    process.currentDirectoryURL = folder
    var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("PREHEAT_") }
    environment["GITHUB_ACTION_PATH"] = Fixtures.checkout.path
    environment["PATH"] = "\(BuiltCommand.products.path):\(environment["PATH"] ?? "/usr/bin")"
    for (input, variable) in step.inputs { environment[variable] = inputs[input] ?? "" }
    process.environment = environment
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = process.standardOutput
    try process.run()
    process.waitUntilExit()
    return (process.terminationStatus, try String(contentsOf: output, encoding: .utf8))
  }

  @Test func allLinesOfTheInputsReachTheCommand() async throws {
    try await OwnThread {
      let scene = try Scene(Scene.ordinaryLines[0])
      try scene.write(Scene.ordinaryLines[1], to: "a second.job")
      let made = try Self.run(
        [
          "jobs": "test.job\n'a second.job'\n",
          "arguments": "--retries 0 --quiet\n--metrics \"$(id) *.prom\"",
          "report": "page",
        ], in: scene.folder.url)
      #expect(made.status == 0, "\(made.output)")
      #expect(try scene.entries().count == 12)
      let names = try FileManager.default.contentsOfDirectory(atPath: scene.folder.url.path)
      #expect(names.contains("$(id) *.prom"), "nothing is expanded: \(names)")
      #expect(names.contains("page"))
    }.value
  }

  /// A guard in the second line is a guard.
  @Test func aTrustedRootInTheSecondLineHolds() async throws {
    try await OwnThread {
      let scene = try Scene(Scene.ordinaryLines[0])
      let refused = try Self.run(
        ["jobs": "test.job", "arguments": "--retries 0\n--trusted-root .\n"], in: scene.folder.url)
      #expect(refused.status == 2 && refused.output.contains("trusted"), "\(refused)")
      #expect(!FileManager.default.fileExists(atPath: scene.folder.file("cache").path))
    }.value
  }

  @Test func aQuoteThatDoesNotEndIsAnError() async throws {
    try await OwnThread {
      let scene = try Scene(Scene.ordinaryLines[0])
      let refused = try Self.run(["jobs": "test.job", "arguments": "--retries '0"], in: scene.folder.url)
      #expect(refused.status == 2 && refused.output.contains("::error::the input arguments"), "\(refused)")
      #expect(!FileManager.default.fileExists(atPath: scene.folder.file("cache").path))
    }.value
  }
}
