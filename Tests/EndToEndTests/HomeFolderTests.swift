import Foundation
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
    try scene.run(["--junit=~/j.xml"], environment: environment).expect(0)
    #expect(
      FileManager.default.fileExists(atPath: home.path + "/own")
        && FileManager.default.fileExists(atPath: home.path + "/j.xml"))
    try scene.run(["--cache=~/other"], environment: environment).expect(0)
    #expect(FileManager.default.fileExists(atPath: home.path + "/other"))
    try scene.preheat(["inspect", "~/own"], environment: environment).expect(0)
    #expect(!FileManager.default.fileExists(atPath: scene.folder.path + "/~"))
    for lost in ["", "relative"] {
      try scene.run(environment: ["HOME": lost]).expect(2, "HOME does not name one")
    }
    #expect(!FileManager.default.fileExists(atPath: scene.folder.path + "/~"))
  }

  @Test func withoutAWorkingDirectoryNothingIsWritten() throws {
    let scene = try Scene(
      "\(Self.logo.path) card id=logo", head: "client nuke 12\ncache preheat-gone\n" + Self.tail)
    let gone = scene.folder.file("gone")
    for command in [["run", "../test.job"], ["run", scene.folder.path + "/test.job"], ["inspect", "x"]] {
      try FileManager.default.createDirectory(at: gone, withIntermediateDirectories: true)
      try scene.preheat(command, wrapper: ["sh", "-c", "cd gone && rmdir ../gone && exec \"$@\"", "sh"])
        .expect(2, "the working directory is gone")
    }
    #expect(!FileManager.default.fileExists(atPath: "/preheat-gone"))
    #expect(!FileManager.default.fileExists(atPath: "/preheat-gone.preheat"))
  }

  @Test func anEmptyFileIsNoServer() throws {
    let scene = try Scene("./empty.jpg card id=a\ndata:, card id=b")
    try Data().write(to: scene.folder.file("empty.jpg"))
    try scene.run().expect(4, prints: "it is empty", lacks: "server", "URL answers")
  }

  @Test func aDrawingIsStoredWhereItIsAllowedAndNeverDecoded() throws {
    let scene = try Scene(
      "./a.svg original card\n./cut.svg original",
      head: "client kingfisher 8\ncache cache\nscale 1\nchain card = downsampling(size: 9x9)\n")
    let drawing = Data(
      "<?xml version='1.0'?>\n<svg xmlns='http://www.w3.org/2000/svg'><path d='M0 0h9'/></svg>\n".utf8)
    try drawing.write(to: scene.folder.file("a.svg"))
    try drawing.prefix(40).write(to: scene.folder.file("cut.svg"))
    try scene.run().expect(4, prints: "SVG")
    try scene.run(["--allow-format", "svg"]).expect(3)
    #expect(try Array(scene.entries().values) == [drawing])
    try scene.preheat(["verify", "cache"]).expect(0)
    #expect(try scene.run(["--allow-format", "svg"]).output.contains("1 up to date"))
  }
}
