import Foundation
import TestSupport
import Testing

/// Paths that no shell has read, a working directory that is gone, and sources that are no pictures.
@Suite(.timeLimit(.minutes(10)))
struct HomeFolderTests {
  private static let logo = Scene.images.appendingPathComponent("logo.png")
  private static let tail = "chain card = resize(width: 60)\n"

  @Test func aTildeIsTheHomeFolderEverywhere() throws {
    let scene = try Scene(
      "~/logo.png card id=logo\ninclude ~/list.txt card", head: "client nuke 12\ncache ~/own\n" + Self.tail)
    let home = scene.folder.file("home")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: Self.logo, to: home.appendingPathComponent("logo.png"))
    try Data("~/logo.png\n".utf8).write(to: home.appendingPathComponent("list.txt"))
    let environment = ["HOME": home.path]
    let first = try scene.run(["--junit=~/j.xml"], environment: environment)
    #expect(first.status == 0, "\(first.messages)")
    #expect(
      FileManager.default.fileExists(atPath: home.path + "/own")
        && FileManager.default.fileExists(atPath: home.path + "/j.xml"))
    let second = try scene.run(["--cache=~/other"], environment: environment)
    #expect(second.status == 0 && FileManager.default.fileExists(atPath: home.path + "/other"))
    let listed = try BuiltCommand.run(["inspect", "~/own"], in: scene.folder.url, environment: environment)
    #expect(listed.status == 0, "\(listed.messages)")
    #expect(!FileManager.default.fileExists(atPath: scene.folder.path + "/~"))
    for lost in ["", "relative"] {
      let result = try scene.run(environment: ["HOME": lost])
      #expect(result.status == 2 && result.messages.contains("HOME does not name one"), "\(result.messages)")
    }
    #expect(!FileManager.default.fileExists(atPath: scene.folder.path + "/~"))
  }

  @Test func withoutAWorkingDirectoryNothingIsWritten() throws {
    let scene = try Scene(
      "\(Self.logo.path) card id=logo", head: "client nuke 12\ncache preheat-gone\n" + Self.tail)
    let gone = scene.folder.file("gone")
    for command in [["run", "../test.job"], ["run", scene.folder.path + "/test.job"], ["inspect", "x"]] {
      try FileManager.default.createDirectory(at: gone, withIntermediateDirectories: true)
      let result = try BuiltCommand.run(
        command, in: scene.folder.url,
        wrapper: ["sh", "-c", "cd gone && rmdir ../gone && exec \"$@\"", "sh"])
      #expect(
        result.status == 2 && result.messages.contains("the working directory is gone"), "\(result.messages)")
    }
    #expect(!FileManager.default.fileExists(atPath: "/preheat-gone"))
    #expect(!FileManager.default.fileExists(atPath: "/preheat-gone.preheat"))
  }

  @Test func anEmptyFileIsNoServer() throws {
    let scene = try Scene("./empty.jpg card id=a\ndata:, card id=b")
    try Data().write(to: scene.folder.file("empty.jpg"))
    let result = try scene.run()
    #expect(result.status == 4 && result.output.contains("it is empty"), "\(result.output)")
    #expect(!result.output.contains("server") && !result.output.contains("URL answers"))
  }

  @Test func aDrawingIsStoredWhereItIsAllowedAndNeverDecoded() throws {
    let scene = try Scene(
      "./a.svg original card\n./cut.svg original",
      head: "client kingfisher 8\ncache cache\nscale 1\nchain card = downsampling(size: 9x9)\n")
    let drawing = Data(
      "<?xml version='1.0'?>\n<svg xmlns='http://www.w3.org/2000/svg'><path d='M0 0h9'/></svg>\n".utf8)
    try drawing.write(to: scene.folder.file("a.svg"))
    try drawing.prefix(40).write(to: scene.folder.file("cut.svg"))
    let refused = try scene.run()
    #expect(refused.status == 4 && refused.output.contains("SVG"))
    let allowed = try scene.run(["--allow-format", "svg"])
    #expect(allowed.status == 3, "\(allowed.output)")
    #expect(try Array(scene.entries().values) == [drawing])
    let verified = try BuiltCommand.run(["verify", "cache"], in: scene.folder.url)
    #expect(verified.status == 0, "\(verified.output)")
    #expect(try scene.run(["--allow-format", "svg"]).output.contains("1 up to date"))
  }

  @Test func aBundleThatIsMissingIsNotACacheFolder() throws {
    let folder = try TemporaryFolder()
    for command in [
      ["verify", "no.zip"], ["verify", "no.zip", "--public-key", "k.pem"], ["diff", "no.zip", "no2.zip"],
    ] {
      let result = try BuiltCommand.run(command, in: folder.url)
      #expect(
        result.status != 0 && result.messages.contains(/there is no|does not exist/), "\(result.messages)")
      #expect(!result.messages.contains("cache folder"), "\(result.messages)")
    }
  }
}
