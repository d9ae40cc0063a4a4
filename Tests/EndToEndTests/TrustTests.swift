import Foundation
import TestSupport
import Testing

/// Jobs from others: what the built command lets them read, and what it tells of it.
@Suite(.timeLimit(.minutes(10)))
struct TrustTests {
  /// A checkout in `fork`, with things beside it that are none of its business.
  private static func checkout(_ lines: String, head: String = Scene.head) throws -> Scene {
    let scene = try Scene("")
    for name in ["fork/lists", "private"] {
      try FileManager.default.createDirectory(at: scene.folder.file(name), withIntermediateDirectories: true)
    }
    for name in ["fork", "private"] {
      try FileManager.default.copyItem(
        at: Scene.images.appendingPathComponent("logo.png"), to: scene.folder.file(name + "/logo.png"))
    }
    try Data("API_TOKEN=s3cr3t\n/s3cr3t s3cr3t\n".utf8).write(to: scene.folder.file("private/.env"))
    try scene.write(lines, head: head, to: "fork/a.job")
    return scene
  }

  private static func preheat(
    _ scene: Scene, _ arguments: [String], environment: [String: String] = [:]
  ) throws -> BuiltCommand.Result {
    try BuiltCommand.run(arguments, in: scene.folder.url, environment: environment)
  }

  static let commands = [
    ["run"], ["plan", "--rows"], ["plan", "--json"], ["code", "--swift"], ["run", "--json"],
  ]

  @Test(arguments: commands) func nothingOfAFileElsewhereIsPrinted(command: [String]) async throws {
    try await OwnThread {
      let scene = try Self.checkout("include ../private/.env card\n./logo.png card")
      for flags in [[], ["--trusted-root", "fork"]] {
        let result = try Self.preheat(scene, command + ["fork/a.job"] + flags)
        #expect(result.status == 2 && !(result.output + result.messages).contains("s3cr3t"), "\(result)")
        #expect(result.messages.contains(flags.isEmpty ? ".env:1:1: error: " : "fork/a.job:5:9: error: "))
      }
    }.value
  }

  @Test(arguments: ["../private/logo.png", "./link.png", "./lists/../../private/logo.png"])
  func aSourceElsewhereIsAnErrorAtItsLine(source: String) async throws {
    try await OwnThread {
      let scene = try Self.checkout("\(source) card")
      try FileManager.default.createSymbolicLink(
        atPath: scene.folder.file("fork/link.png").path, withDestinationPath: "../private/logo.png")
      let refused = try Self.preheat(scene, ["run", "fork/a.job", "--trusted-root", "fork"])
      #expect(refused.status == 2 && refused.messages.contains("fork/a.job:5:1: error: "), "\(refused)")
      #expect(!FileManager.default.fileExists(atPath: scene.folder.file("fork/cache").path))
      for flags in [[], ["--trusted-root", "fork", "--trusted-root", "private"], ["--trusted-root", "."]] {
        #expect(try Self.preheat(scene, ["run", "fork/a.job"] + flags).status == 0)
      }
      #expect(
        try Self.preheat(
          scene, ["run", "fork/a.job"], environment: ["PREHEAT_TRUSTED_ROOT": "fork\nprivate"]
        ).status == 0)
    }.value
  }

  /// `key --job` reads a job, too.
  @Test func everyCommandThatReadsAJobKnowsTheOptions() async throws {
    try await OwnThread {
      let scene = try Self.checkout("./logo.png card")
      #expect(try Self.preheat(scene, ["run", "fork/a.job", "--trusted-root", "fork"]).status == 0)
      try scene.write(
        "header e.com A: ${TOKEN}\n../private/logo.png card", to: "fork/b.job")
      for flags in [["--trusted-root", "fork"], ["--env", "OTHER"]] {
        for command in [
          ["key", "--job", "fork/b.job", "../private/logo.png", "card"], ["plan", "fork/b.job"],
          ["code", "--swift", "fork/b.job"], ["run", "fork/b.job"],
        ] {
          let result = try Self.preheat(scene, command + flags, environment: ["TOKEN": "s3cr3t"])
          // What sends nothing needs no variable.
          if flags[0] == "--env", command[0] != "run" {
            #expect(result.status == 0, "\(command): \(result)")
            continue
          }
          #expect(result.status == 2, "\(command): \(result)")
          #expect(result.messages.contains(flags[0] == "--env" ? "TOKEN" : "trusted folders"), "\(result)")
        }
      }
      let wrong = try Self.preheat(scene, ["plan", "fork/a.job", "--trusted-root", "nowhere"])
      #expect(wrong.status == 2 && wrong.messages.contains("nowhere"))
    }.value
  }

  @Test func aPullRequestGetsNoVariableUnasked() async throws {
    try await OwnThread {
      let server = try FaultServer()
      let scene = try Self.checkout("header 127.0.0.1 X-Secret: ${TOKEN}\n\(server.url("/ok")) card")
      var environment = ["TOKEN": "s3cr3t", "GITHUB_EVENT_NAME": "pull_request_target"]
      let refused = try Self.preheat(scene, ["run", "fork/a.job"], environment: environment)
      #expect(refused.status == 2 && refused.messages.contains("fork/a.job:5:28: error: "), "\(refused)")
      #expect(refused.messages.contains("TOKEN") && refused.messages.contains("GITHUB_EVENT_NAME"))
      #expect(try server.stats().requests.isEmpty)
      #expect(try Self.preheat(scene, ["plan", "fork/a.job"], environment: environment).status == 0)
      let named = try Self.preheat(scene, ["run", "fork/a.job", "--env", "TOKEN"], environment: environment)
      #expect(named.status != 2, "\(named)")
      environment["PREHEAT_ENV"] = "OTHER TOKEN"
      #expect(try Self.preheat(scene, ["run", "fork/a.job"], environment: environment).status != 2)
    }.value
  }
}
