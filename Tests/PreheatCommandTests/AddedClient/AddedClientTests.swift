import CacheBundleInstaller
import ClientRegistry
import Foundation
import Pictures
import TestSupport
import Testing

@testable import PreheatCommand

/// A client is a folder and a row in the registry: one that only these tests know goes the whole way.
@Suite(.timeLimit(.minutes(10))) struct AddedClientTests {
  let scene: CommandScene

  init() throws { scene = try CommandScene() }

  private func preheat(_ arguments: String...) async throws -> Outcome {
    try await ClientRegistry.with(PinboardClient.library) {
      try await Outcome(
        of: arguments, environment: ["PREHEAT_RENDER": BuiltCommand.renderer.path, "CI": "1"])
    }
  }

  /// A job of two local pictures.
  private func job(_ more: String = "") throws -> String {
    let images = Fixtures.folder.appendingPathComponent("images")
    for name in ["logo.png"] {
      try FileManager.default.copyItem(
        at: images.appendingPathComponent(name), to: scene.folder.file(name))
    }
    let source = scene.folder.file("logo.png").absoluteString
    let lines = ["client pinboard 1", "cache out", more, "\(source) original shrink(width: 8)"]
    try Data(lines.joined(separator: "\n").utf8).write(to: scene.folder.file("pins.job"))
    return scene.path("pins.job")
  }

  @Test func itsJobIsPlannedRunAndCurrentTheSecondTime() async throws {
    let job = try job("board mine")
    let plan = try await preheat("plan", "--json", job)
    #expect(plan.code == 0, "\(plan.messages)")
    let keys = try plan.objects().compactMap { $0["key"] as? String }
    let source = scene.folder.file("logo.png").absoluteString
    #expect(Set(keys) == ["mine:\(source)", "mine:\(source)/w8"])

    let run = try await preheat("run", job)
    #expect(run.code == 0, "\(run.messages)")
    #expect(run.output.hasPrefix("2 renditions: 2 made, 0 up to date"))
    let names = try scene.names(scene.path("out"))
    #expect(names.count == 2 && names.allSatisfy { $0.hasPrefix("pin-") })
    let widths = try names.map {
      try ImageHeader.read(Array(Data(contentsOf: scene.folder.file("out/\($0)")))).width
    }
    #expect(widths.contains(8))

    let again = try await preheat("run", job)
    #expect(again.output.hasPrefix("2 renditions: 0 made, 2 up to date"))
    let hit = try await preheat(
      "key", "--client=pinboard 1", "--board=mine", "--in", scene.path("out"), source, "shrink(width: 8)")
    #expect(hit.code == 0 && hit.output.contains("the pin is on the board"))
    let miss = try await preheat(
      "key", "--client=pinboard 1", "--in", scene.path("out"), source, "shrink(width: 8)")
    #expect(miss.code == 10 && miss.output.contains("there is no such pin"))
  }

  @Test func itsCacheIsInspectedVerifiedAndSwept() async throws {
    #expect(try await preheat("run", try job()).code == 0)
    let cache = scene.path("out")
    let inspected = try await preheat("inspect", cache)
    #expect(inspected.code == 0 && inspected.output.contains("pinboard 1.0.0"), "\(inspected.output)")
    #expect(try await preheat("verify", cache).code == 0)
    let victim = try #require(try scene.names(cache).first)
    try Data("no picture".utf8).write(to: scene.folder.file("out/\(victim)"))
    let damaged = try await preheat("verify", cache)
    #expect(damaged.code == 6 && damaged.output.contains(victim))
    #expect(try await preheat("verify", "--repair", cache).messages.contains("error") == false)
    let swept = try await preheat("sweep", cache, "--size-limit", "1")
    #expect(swept.code == 0, "\(swept.messages)")
    #expect(try scene.names(cache).isEmpty)
  }

  @Test func itsBundleIsInstalledWithoutTheClient() async throws {
    #expect(try await preheat("run", try job()).code == 0)
    let bundle = scene.path("pins.zip")
    let made = try await preheat("bundle", scene.path("out"), "-o", bundle)
    #expect(made.code == 0, "\(made.messages)")
    let folder = scene.folder.file("installed")
    _ = try await BundleInstaller(folder: folder).install(URL(fileURLWithPath: bundle))
    #expect(try scene.names(folder.path) == scene.names(scene.path("out")))
    for name in try scene.names(folder.path) {
      #expect(
        try Data(contentsOf: folder.appendingPathComponent(name))
          == Data(contentsOf: scene.folder.file("out/\(name)")))
    }
  }

  @Test func itsRequestsAreWrittenAsItsAppWritesThem() async throws {
    let code = try await preheat("code", try job(), "--swift")
    #expect(code.code == 0, "\(code.messages)")
    #expect(code.output.contains("import Pinboard\n") && code.output.contains("Pin(url, width: 8)"))
  }

  @Test func itsMistakesAndSettingsAreItsOwn() async throws {
    let wrong = try await preheat("plan", try job("policy reachable"))
    #expect(wrong.code == 2 && wrong.messages.contains("belongs to nuke, and the client is pinboard"))
    let help = try await preheat("help", "settings", "--markdown")
    #expect(help.output.contains("\n- `board main` ("))
    let unknown = try await Outcome(of: ["plan", scene.path("pins.job")])
    #expect(unknown.code == 2, "only the task that registers a client knows it")
  }
}
