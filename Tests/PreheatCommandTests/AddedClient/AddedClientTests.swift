import CacheBundleInstaller
import ClientRegistry
import Foundation
import Pictures
import TestSupport
import Testing

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
      try FileManager.default.copyItem(at: images.appendingPathComponent(name), to: scene.folder.file(name))
    }
    let source = scene.folder.file("logo.png").absoluteString
    let lines = ["client pinboard 1", "cache out", more, "\(source) original shrink(width: 8)"]
    try scene.folder.write(lines.joined(separator: "\n"), to: "pins.job")
    return scene.path("pins.job")
  }

  @Test func itsJobIsPlannedRunAndCurrentTheSecondTime() async throws {
    let job = try job("board mine")
    let plan = try await preheat("plan", "--json", job).expect(0)
    let keys = try plan.objects().compactMap { $0["key"] as? String }
    let source = scene.folder.file("logo.png").absoluteString
    #expect(Set(keys) == ["mine:\(source)", "mine:\(source)/w8"])

    let run = try await preheat("run", job).expect(0)
    #expect(run.output.hasPrefix("2 renditions: 2 made, 0 up to date"))
    let names = try scene.names(scene.path("out"))
    #expect(names.count == 2 && names.allSatisfy { $0.hasPrefix("pin-") })
    let widths = try names.map {
      try ImageHeader.read(Array(Data(contentsOf: scene.folder.file("out/\($0)")))).width
    }
    #expect(widths.contains(8))

    let again = try await preheat("run", job)
    #expect(again.output.hasPrefix("2 renditions: 0 made, 2 up to date"))
    try await preheat(
      "key", "--client=pinboard 1", "--board=mine", "--in", scene.path("out"), source, "shrink(width: 8)"
    ).expect(0, prints: "the pin is on the board")
    try await preheat("key", "--client=pinboard 1", "--in", scene.path("out"), source, "shrink(width: 8)")
      .expect(10, prints: "there is no such pin")
  }

  @Test func itsCacheIsInspectedVerifiedAndSwept() async throws {
    #expect(try await preheat("run", try job()).code == 0)
    let cache = scene.path("out")
    try await preheat("inspect", cache).expect(0, prints: "pinboard 1.0.0")
    #expect(try await preheat("verify", cache).code == 0)
    let victim = try #require(try scene.names(cache).first)
    try scene.folder.write("no picture", to: "out/\(victim)")
    try await preheat("verify", cache).expect(6, prints: victim)
    #expect(try await preheat("verify", "--repair", cache).messages.contains("error") == false)
    try await preheat("sweep", cache, "--size-limit", "1").expect(0)
    #expect(try scene.names(cache).isEmpty)
  }

  @Test func itsBundleIsInstalledWithoutTheClient() async throws {
    #expect(try await preheat("run", try job()).code == 0)
    let bundle = scene.path("pins.zip")
    try await preheat("bundle", scene.path("out"), "-o", bundle).expect(0)
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
    try await preheat("code", try job(), "--swift").expect(
      0, prints: "import Pinboard\n", "Pin(url, width: 8)")
  }

  @Test func itsMistakesAndSettingsAreItsOwn() async throws {
    try await preheat("plan", try job("policy reachable")).expect(
      2, "belongs to nuke, and the client is pinboard")
    try await preheat("help", "settings", "--markdown").expect(0, prints: "\n- `board main` (")
    try await Outcome(of: ["plan", scene.path("pins.job")]).expect(2)
  }
}
