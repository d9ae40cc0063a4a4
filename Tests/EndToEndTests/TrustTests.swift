import Foundation
import TestSupport
import Testing

/// Jobs from others: what the built command lets them read, and what it tells of it.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct TrustTests {
  /// A checkout in `fork`, with things beside it that are none of its business.
  private static func checkout(_ lines: String, head: String = Scene.head) throws -> Scene {
    let scene = try Scene("")
    for name in ["fork/lists", "private"] {
      try scene.folder.makeFolder(name)
    }
    for name in ["fork", "private"] {
      try FileManager.default.copyItem(
        at: Scene.images.appendingPathComponent("logo.png"), to: scene.folder.file(name + "/logo.png"))
    }
    try scene.folder.write("API_TOKEN=s3cr3t\n/s3cr3t s3cr3t\n", to: "private/.env")
    try scene.write(lines, head: head, to: "fork/a.job")
    return scene
  }

  static let commands = [
    ["run"], ["plan", "--rows"], ["plan", "--json"], ["code", "--swift"], ["run", "--json"],
  ]

  @Test(arguments: commands) func nothingOfAFileElsewhereIsPrinted(command: [String]) throws {
    let scene = try Self.checkout("include ../private/.env card\n./logo.png card")
    for flags in [[], ["--trusted-root", "fork"]] {
      try scene.preheat(command + ["fork/a.job"] + flags).expect(
        2, flags.isEmpty ? ".env:1:1: error: " : "fork/a.job:5:9: error: ", lacks: "s3cr3t")
    }
  }

  @Test(arguments: ["../private/logo.png", "./link.png", "./lists/../../private/logo.png"])
  func aSourceElsewhereIsAnErrorAtItsLine(source: String) throws {
    let scene = try Self.checkout("\(source) card")
    try scene.folder.link("fork/link.png", to: "../private/logo.png")
    try scene.preheat(["run", "fork/a.job", "--trusted-root", "fork"]).expect(2, "fork/a.job:5:1: error: ")
    #expect(!scene.folder.has("fork/cache"))
    for flags in [[], ["--trusted-root", "fork", "--trusted-root", "private"], ["--trusted-root", "."]] {
      #expect(try scene.preheat(["run", "fork/a.job"] + flags).status == 0)
    }
    #expect(
      try scene.preheat(
        ["run", "fork/a.job"], environment: ["PREHEAT_TRUSTED_ROOT": "fork\nprivate"]
      ).status == 0)
  }

  /// `key --job` reads a job, too.
  @Test func everyCommandThatReadsAJobKnowsTheOptions() throws {
    let scene = try Self.checkout("./logo.png card")
    #expect(try scene.preheat(["run", "fork/a.job", "--trusted-root", "fork"]).status == 0)
    try scene.write("header e.com A: ${TOKEN}\n../private/logo.png card", to: "fork/b.job")
    for flags in [["--trusted-root", "fork"], ["--env", "OTHER"]] {
      for command in [
        ["key", "--job", "fork/b.job", "../private/logo.png", "card"], ["plan", "fork/b.job"],
        ["code", "--swift", "fork/b.job"], ["run", "fork/b.job"],
      ] {
        let result = try scene.preheat(command + flags, environment: ["TOKEN": "s3cr3t"])
        // What sends nothing needs no variable.
        if flags[0] == "--env", command[0] != "run" {
          #expect(result.status == 0, "\(command): \(result)")
          continue
        }
        #expect(result.status == 2, "\(command): \(result)")
        #expect(result.messages.contains(flags[0] == "--env" ? "TOKEN" : "trusted folders"), "\(result)")
      }
    }
    try scene.preheat(["plan", "fork/a.job", "--trusted-root", "nowhere"]).expect(2, "nowhere")
  }

  @Test func aPullRequestGetsNoVariableUnasked() throws {
    let server = try FaultServer()
    let scene = try Self.checkout("header 127.0.0.1 X-Secret: ${TOKEN}\n\(server.url("/ok")) card")
    var environment = ["TOKEN": "s3cr3t", "GITHUB_EVENT_NAME": "pull_request_target"]
    try scene.preheat(["run", "fork/a.job"], environment: environment).expect(
      2, "fork/a.job:5:28: error: ", "TOKEN", "GITHUB_EVENT_NAME")
    #expect(try server.stats().requests.isEmpty)
    #expect(try scene.preheat(["plan", "fork/a.job"], environment: environment).status == 0)
    let named = try scene.preheat(["run", "fork/a.job", "--env", "TOKEN"], environment: environment)
    #expect(named.status != 2, "\(named)")
    environment["PREHEAT_ENV"] = "OTHER TOKEN"
    #expect(try scene.preheat(["run", "fork/a.job"], environment: environment).status != 2)
  }
}
