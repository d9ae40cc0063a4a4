import Foundation
import TestSupport
import Testing

/// What a command reads and where it writes: names that lead elsewhere, and files that are not its own.
@Suite(.timeLimit(.minutes(10)))
struct SafePlaceTests {
  private static let logo = Scene.images.appendingPathComponent("logo.png")
  private static let line = "\(logo.path) card id=logo"

  private func preheat(
    _ scene: Scene, _ arguments: [String], _ wrapper: [String] = []
  ) throws -> BuiltCommand.Result {
    try BuiltCommand.run(arguments, in: scene.folder.url, wrapper: wrapper)
  }

  private func put(_ file: URL, at path: String, in scene: Scene) throws {
    try? FileManager.default.removeItem(at: scene.folder.file(path))
    try FileManager.default.copyItem(at: file, to: scene.folder.file(path))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: scene.folder.file(path).path)
  }

  // MARK: Outputs and inputs

  private static let outputs = ["--junit", "--metrics", "--trace", "--signposts"]

  @Test(arguments: outputs) func noOutputReplacesWhatIsReadOrForeign(option: String) throws {
    let scene = try Scene("include list.txt card")
    try FileManager.default.copyItem(at: Self.logo, to: scene.folder.file("a.png"))
    try scene.write("./a.png", head: "", to: "list.txt")
    try FileManager.default.linkItem(at: scene.folder.file("test.job"), to: scene.folder.file("hard"))
    try FileManager.default.createSymbolicLink(
      atPath: scene.folder.file("soft").path, withDestinationPath: "list.txt")
    try scene.write("mine", head: "", to: "notes.txt")
    for name in ["test.job", "hard", "list.txt", "soft", "a.png", "notes.txt"] {
      let before = try Data(contentsOf: scene.folder.file(name))
      for force in [[], ["--force"]] where name != "notes.txt" || force.isEmpty {
        let result = try scene.run([option, name] + force)
        #expect(result.status == 2 && result.messages.contains(option), "\(name) \(force): \(result)")
        #expect(try Data(contentsOf: scene.folder.file(name)) == before, "\(name) \(force)")
      }
    }
    #expect(!FileManager.default.fileExists(atPath: scene.folder.file("cache").path))
    // Its own file is replaced again and again.
    #expect(try scene.run([option, "notes.txt", "--force"]).status == 0)
    #expect(try scene.run([option, "notes.txt"]).status == 0)
  }

  @Test func thePageReplacesNoOther() throws {
    let scene = try Scene(Self.line)
    try FileManager.default.createDirectory(at: scene.folder.file("site"), withIntermediateDirectories: true)
    try scene.write("<title>Mine</title>", head: "", to: "site/index.html")
    for command in [["run", "test.job"], ["report", "cache"]] {
      let result = try preheat(scene, command + ["--report", "site"])
      #expect(result.status == 2 && result.messages.contains("site/index.html exists"), "\(result)")
    }
    #expect(try scene.run(["--report", "site", "--force"]).status == 0)
    #expect(try preheat(scene, ["report", "cache", "--report", "site"]).status == 0)
  }

  @Test func curesReplaceNoRecordingAndNoJob() throws {
    let scene = try Scene(Self.line)
    #expect(try scene.run().status == 0)
    try scene.write("https://e.com/1.jpg", head: "", to: "keys.txt")
    for name in ["keys.txt", "test.job"] {
      let before = try Data(contentsOf: scene.folder.file(name))
      for force in [[], ["--force"]] {
        let result = try preheat(scene, ["replay", "keys.txt", "--in", "cache", "--cures", name] + force)
        #expect(result.status == 2, "\(name) \(force): \(result)")
        #expect(try Data(contentsOf: scene.folder.file(name)) == before)
      }
    }
    for _ in 0..<2 {
      let result = try preheat(scene, ["replay", "keys.txt", "--in", "cache", "--cures", "more.job"])
      #expect(result.status == 0, "\(result)")
    }
    let result = try preheat(
      scene, ["init", "--client", "nuke 12", "--from", "keys.txt", "-o", "keys.txt", "--force"])
    #expect(result.status == 2 && result.messages.contains("reads keys.txt"), "\(result)")
  }

  @Test func aBundleReplacesOnlyABundleAndItsListOnlyAList() throws {
    let scene = try Scene(Self.line, head: "scale 2 3\n" + Scene.head)
    #expect(try scene.run().status == 0)
    try scene.write("{\"mine\": 1}", head: "", to: "catalog.json")
    let each = ["bundle", "cache", "--job", "test.job", "--for-scale", "each", "-o", "catalog.zip"]
    let refused = try preheat(scene, each)
    #expect(refused.status == 2 && refused.messages.contains("catalog.json"), "\(refused)")
    #expect(!FileManager.default.fileExists(atPath: scene.folder.file("catalog-2x.zip").path))
    try FileManager.default.removeItem(at: scene.folder.file("catalog.json"))
    for _ in 0..<2 { #expect(try preheat(scene, each).status == 0) }
    try FileManager.default.copyItem(at: Self.logo, to: scene.folder.file("mine.zip"))
    let other = try preheat(scene, ["bundle", "cache", "-o", "mine.zip"])
    #expect(other.status == 9 && other.messages.contains("is not a bundle"), "\(other)")
    #expect(try Data(contentsOf: scene.folder.file("mine.zip")) == Data(contentsOf: Self.logo))
    let base = try preheat(scene, ["bundle", "cache", "-o", "catalog-2x.zip", "--since", "catalog-2x.zip"])
    #expect(base.status == 2 && base.messages.contains("--since"), "\(base)")
  }

  // MARK: Local files

  @Test func aLocalFileOfTheSameSizeAndDateIsSeenAndTheSameBytesAreNotDrawnAgain() throws {
    let scene = try Scene("./a.png card id=a")
    let other = scene.folder.file("other.png")
    try (Data(contentsOf: Scene.images.appendingPathComponent("logo.png"))).write(to: other)
    let size = try Data(contentsOf: Self.logo).count
    try put(Self.logo, at: "a.png", in: scene)
    #expect(try scene.run().status == 0)
    let first = try scene.entries()
    try put(Self.logo, at: "a.png", in: scene)
    for _ in 0..<2 { #expect(try scene.run().output.contains("1 up to date")) }
    var bytes = try Data(contentsOf: Scene.images.appendingPathComponent("portrait-6.jpg"))
    bytes.append(Data(count: max(0, size - bytes.count)))
    try bytes.write(to: other)
    let whole = try Data(contentsOf: other).count
    try (Data(contentsOf: Self.logo) + Data(count: max(0, whole - size))).write(to: scene.folder.file("base"))
    try put(scene.folder.file("base"), at: "a.png", in: scene)
    _ = try scene.run()
    try put(other, at: "a.png", in: scene)
    #expect(try scene.run().output.contains("1 made"))
    #expect(try scene.entries() != first)
  }

  // MARK: Paths that are not UTF-8

  private static let latin = ["sh", "-c", "cd \"$(printf 'caf\\351')\" && exec \"$@\"", "sh"]

  @Test func aPathThatIsNotUTF8IsSaidBeforeAnythingIsWritten() throws {
    let scene = try Scene(Self.line)
    let made = try preheat(
      scene, [], ["sh", "-c", "mkdir \"$(printf 'caf\\351')\" && cp test.job \"$(printf 'caf\\351')\" #"])
    #expect(made.status == 0)
    let argument = ["sh", "-c", "exec \"$@\" \"$(printf 'caf\\351')/test.job\"", "sh"]
    let results = [
      try preheat(scene, ["run", "test.job"], Self.latin), try preheat(scene, ["run"], argument),
      try preheat(scene, ["verify", "out"], Self.latin),
      try preheat(
        scene, ["plan", "test.job"], ["sh", "-c", "PREHEAT_CACHE=$(printf 'caf\\351') \"$@\"", "sh"]),
    ]
    for result in results {
      #expect(
        result.status == 2 && result.messages.contains("UTF-8") && result.messages.contains("caf\\xE9"),
        "\(result)")
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: scene.folder.path)
    #expect(names.count == 2, "\(names)")
  }

  // MARK: Links to a cache

  @Test func aCacheHasOneStateByWhateverPath() throws {
    let scene = try Scene(Self.line)
    for name in ["a", "b"] {
      try FileManager.default.createDirectory(
        at: scene.folder.file("real/\(name)"), withIntermediateDirectories: true)
    }
    let link = scene.folder.file("current").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real/a")
    #expect(try scene.run(["--cache", "current"]).output.contains("1 made"))
    // As an earlier release left it.
    try FileManager.default.moveItem(
      at: scene.folder.file("real/a.preheat"), to: scene.folder.file("current.preheat"))
    let taken = try scene.run(["--cache", "current"])
    #expect(
      taken.output.contains("1 up to date") && taken.messages.contains("current.preheat"), "\(taken)")
    for path in ["current", "real/a", "real/../current/"] {
      let again = try scene.run(["--cache", path])
      #expect(again.output.contains("1 up to date") && !again.messages.contains("earlier"), "\(again)")
    }
    let both = try preheat(scene, ["run", "test.job", "--cache", "current", "--prune"])
    #expect(both.status == 0 && both.output.contains("1 up to date"), "\(both)")
    // Another folder has a state of its own.
    try FileManager.default.removeItem(atPath: link)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real/b")
    #expect(try scene.run(["--cache", "current"]).output.contains("1 made"))
    let names = try FileManager.default.contentsOfDirectory(atPath: scene.folder.file("real").path).sorted()
    #expect(names == ["a", "a.preheat", "b", "b.preheat"])
    #expect(!FileManager.default.fileExists(atPath: link + ".preheat"))
  }

  @Test(arguments: ["cache/b", "cache.preheat/b", "cache.preheat/feeds/b"])
  func aCacheInsideAnotherIsRefused(place: String) throws {
    let scene = try Scene(Self.line)
    #expect(try scene.run().status == 0)
    let result = try scene.run(["--cache", place])
    #expect(result.status == 2 && result.messages.contains("is inside the "), "\(result)")
    #expect(!FileManager.default.fileExists(atPath: scene.folder.file(place).path))
  }
}
