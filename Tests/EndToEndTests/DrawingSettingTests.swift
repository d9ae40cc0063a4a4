import Foundation
import TestSupport
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(10))) struct DrawingSettingTests {
  private static let names = ["mountains.jpg", "logo.png", "balloons.webp", "portrait-6.jpg"]
  /// A chain that scales nothing, and others.
  private static let chains = ["circle", "resize(width: 60)", "resize(width: 44) | circle"]
  private static let head = Scene.head.replacing("chain card = resize(width: 60)\n", with: "")
  private static let lines = names.map { name in
    "\(Scene.images.appendingPathComponent(name).path) \(chains.joined(separator: " ")) id=\(name)"
  }.joined(separator: "\n")

  private func counts(_ result: BuiltCommand.Result) throws -> [Int?] {
    let summary = try #require(try result.objects().last)
    return ["made", "current", "failed"].map { summary[$0] as? Int }
  }

  @Test func aChangeMakesWhatIsScaledAgainAndNothingElse() throws {
    let scene = try Scene(Self.lines, head: Self.head)
    #expect(try counts(scene.run(["--json"])) == [12, 0, 0])
    let device = try scene.entries()
    let scaled = Self.names.count * 2
    #expect(try counts(scene.run(["--json", "--drawing", "libvips"])) == [scaled, 12 - scaled, 0])
    let ours = try scene.entries()
    #expect(ours.keys.sorted() == device.keys.sorted())
    #expect(ours.filter { device[$0.key] != $0.value }.count == scaled)
    #expect(try counts(scene.run(["--json"], environment: ["PREHEAT_DRAWING": "libvips"])) == [0, 12, 0])
    #expect(try counts(scene.run(["--json", "--drawing", "device"])) == [scaled, 12 - scaled, 0])
    #expect(try scene.entries() == device)
  }

  @Test func itIsSaidInPlanSummaryPageAndBundle() throws {
    let scene = try Scene("drawing libvips\n" + Self.lines, head: Self.head)
    func run(_ words: String...) throws -> BuiltCommand.Result {
      let result = try scene.preheat(words)
      try #require(result.status == 0, "\(result.messages)")
      return result
    }
    #expect(try run("plan", "test.job").output.contains("\ndrawing: libvips\n"))
    #expect(!(try run("plan", "test.job", "--drawing", "device").output.contains("drawing:")))
    let ran = try run("run", "test.job", "--report", "page")
    #expect((ran.output + ran.messages).contains("drawing: test.job: libvips\n"))
    let page = try scene.folder.text("page/index.html")
    #expect(page.contains("<dt>drawing</dt><dd>test.job: libvips</dd>"))
    let summary = try #require(try run("run", "test.job", "--json").objects().last)
    #expect(summary["drawings"] as? [String] == ["test.job: libvips"])
    func drawings(_ name: String) throws -> [String]? {
      _ = try run("bundle", "cache", "-o", name, "--allow-local-keys")
      let index = try Data(contentsOf: scene.folder.file("\(name)/index.json"))
      return (try JSONSerialization.jsonObject(with: index) as? [String: Any])?["drawings"] as? [String]
    }
    #expect(try drawings("one") == ["libvips"])
    _ = try run("run", "test.job", "--drawing", "device")
    #expect(try drawings("two") == nil)
  }
}
