import Foundation
import Testing

/// What a command reads and where it writes: names that lead elsewhere, and files that are not its own.
@Suite(.timeLimit(.minutes(10)))
struct SafePlaceTests {
  private static let logo = Scene.images.appendingPathComponent("logo.png")
  private static let line = "\(logo.path) card id=logo"

  private func put(_ file: URL, at path: String, in scene: Scene) throws {
    try? scene.folder.remove(path)
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
    try scene.folder.link("soft", to: "list.txt")
    try scene.write("mine", head: "", to: "notes.txt")
    for name in ["test.job", "hard", "list.txt", "soft", "a.png", "notes.txt"] {
      let before = try Data(contentsOf: scene.folder.file(name))
      for force in [[], ["--force"]] where name != "notes.txt" || force.isEmpty {
        try scene.run([option, name] + force).expect(2, option)
        #expect(try Data(contentsOf: scene.folder.file(name)) == before, "\(name) \(force)")
      }
    }
    #expect(!scene.folder.has("cache"))
    // Its own file is replaced again and again.
    #expect(try scene.run([option, "notes.txt", "--force"]).status == 0)
    #expect(try scene.run([option, "notes.txt"]).status == 0)
  }

  @Test func thePageReplacesNoOther() throws {
    let scene = try Scene(Self.line)
    try scene.folder.makeFolder("site")
    try scene.write("<title>Mine</title>", head: "", to: "site/index.html")
    for command in [["run", "test.job"], ["report", "cache"]] {
      try scene.preheat(command + ["--report", "site"]).expect(2, "site/index.html exists")
    }
    #expect(try scene.run(["--report", "site", "--force"]).status == 0)
    #expect(try scene.preheat(["report", "cache", "--report", "site"]).status == 0)
  }

  @Test func curesReplaceNoRecordingAndNoJob() throws {
    let scene = try Scene(Self.line).warmed()
    try scene.write("https://e.com/1.jpg", head: "", to: "keys.txt")
    for name in ["keys.txt", "test.job"] {
      let before = try Data(contentsOf: scene.folder.file(name))
      for force in [[], ["--force"]] {
        try scene.preheat(["replay", "keys.txt", "--in", "cache", "--cures", name] + force).expect(2)
        #expect(try Data(contentsOf: scene.folder.file(name)) == before)
      }
    }
    for _ in 0..<2 {
      try scene.preheat(["replay", "keys.txt", "--in", "cache", "--cures", "more.job"]).expect(0)
    }
    try scene.preheat(["init", "--client", "nuke 12", "--from", "keys.txt", "-o", "keys.txt", "--force"])
      .expect(2, "reads keys.txt")
  }

  @Test func aBundleReplacesOnlyABundleAndItsListOnlyAList() throws {
    let scene = try Scene(Self.line, head: "scale 2 3\n" + Scene.head).warmed()
    try scene.write("{\"mine\": 1}", head: "", to: "catalog.json")
    let each = ["bundle", "cache", "--job", "test.job", "--for-scale", "each", "-o", "catalog.zip"]
    try scene.preheat(each).expect(2, "catalog.json")
    #expect(!scene.folder.has("catalog-2x.zip"))
    try scene.folder.remove("catalog.json")
    for _ in 0..<2 { #expect(try scene.preheat(each).status == 0) }
    try FileManager.default.copyItem(at: Self.logo, to: scene.folder.file("mine.zip"))
    try scene.preheat(["bundle", "cache", "-o", "mine.zip"]).expect(9, "is not a bundle")
    #expect(try Data(contentsOf: scene.folder.file("mine.zip")) == Data(contentsOf: Self.logo))
    try scene.preheat(["bundle", "cache", "-o", "catalog-2x.zip", "--since", "catalog-2x.zip"]).expect(
      2, "--since")
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
    try scene.preheat(
      [], wrapper: ["sh", "-c", "mkdir \"$(printf 'caf\\351')\" && cp test.job \"$(printf 'caf\\351')\" #"]
    ).expect(0)
    let argument = ["sh", "-c", "exec \"$@\" \"$(printf 'caf\\351')/test.job\"", "sh"]
    let results = [
      try scene.preheat(["run", "test.job"], wrapper: Self.latin),
      try scene.preheat(["run"], wrapper: argument),
      try scene.preheat(["verify", "out"], wrapper: Self.latin),
      try scene.preheat(
        ["plan", "test.job"], wrapper: ["sh", "-c", "PREHEAT_CACHE=$(printf 'caf\\351') \"$@\"", "sh"]),
    ]
    for result in results {
      #expect(
        result.status == 2 && result.messages.contains("UTF-8") && result.messages.contains("caf\\xE9"),
        "\(result)")
    }
    let names = try scene.folder.names()
    #expect(names.count == 2, "\(names)")
  }

  // MARK: Links to a cache

  @Test func aCacheHasOneStateByWhateverPath() throws {
    let scene = try Scene(Self.line)
    for name in ["a", "b"] {
      try scene.folder.makeFolder("real/\(name)")
    }
    let link = scene.folder.file("current").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real/a")
    #expect(try scene.run(["--cache", "current"]).output.contains("1 made"))
    // As an earlier release left it.
    try FileManager.default.moveItem(
      at: scene.folder.file("real/a.preheat"), to: scene.folder.file("current.preheat"))
    try scene.run(["--cache", "current"]).expect(0, "current.preheat", prints: "1 up to date")
    for path in ["current", "real/a", "real/../current/"] {
      try scene.run(["--cache", path]).expect(0, prints: "1 up to date", lacks: "earlier")
    }
    try scene.preheat(["run", "test.job", "--cache", "current", "--prune"]).expect(0, prints: "1 up to date")
    // Another folder has a state of its own.
    try FileManager.default.removeItem(atPath: link)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real/b")
    #expect(try scene.run(["--cache", "current"]).output.contains("1 made"))
    let names = try scene.folder.names("real").sorted()
    #expect(names == ["a", "a.preheat", "b", "b.preheat"])
    #expect(!FileManager.default.fileExists(atPath: link + ".preheat"))
  }

  @Test(arguments: ["cache/b", "cache.preheat/b", "cache.preheat/feeds/b"])
  func aCacheInsideAnotherIsRefused(place: String) throws {
    let scene = try Scene(Self.line).warmed()
    try scene.run(["--cache", place]).expect(2, "is inside the ")
    #expect(!scene.folder.has(place))
  }
}
