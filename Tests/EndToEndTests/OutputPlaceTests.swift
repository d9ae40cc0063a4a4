import Foundation
import Glibc
import TestSupport
import Testing

/// Every option that names a file for output, and every kind of thing that may be at its path.
@Suite(.timeLimit(.minutes(10)))
struct OutputPlaceTests {
  private static let options = ["--junit", "--metrics", "--trace", "--signposts"]
  private static let line = "\(Scene.logo) card id=logo"

  private func kind(_ path: String) throws -> FileAttributeType? {
    try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
  }

  @Test(arguments: options) func aDeviceStaysADevice(option: String) throws {
    let scene = try Scene(Self.line)
    #expect(try scene.run([option, "/dev/null"]).status == 0)
    try scene.run([option, "/dev/full"]).expect(9, "/dev/full")
    #expect(try kind("/dev/null") == .typeCharacterSpecial)
    #expect(try kind("/dev/full") == .typeCharacterSpecial)
    #expect(try scene.names().count == 1)
  }

  @Test(arguments: options) func aPipeGetsAllOfIt(option: String) throws {
    let scene = try Scene(Self.line)
    let pipe = scene.folder.file("pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    let reader = try BuiltCommand.start(
      ["-c", "exec timeout 60 cat '\(pipe)' > '\(scene.folder.file("got").path)'"], program: "/bin/sh")
    #expect(try scene.run([option, pipe]).status == 0)
    try reader.wait().expect(0)
    #expect(try !Data(contentsOf: scene.folder.file("got")).isEmpty)
    #expect(mkfifo(pipe, 0o600) == -1 && errno == EEXIST)
  }

  @Test(arguments: options) func aLinkStaysAndItsFileIsWritten(option: String) throws {
    let scene = try Scene(Self.line)
    try scene.folder.makeFolder("elsewhere")
    try scene.folder.write("old", to: "elsewhere/file")
    let link = scene.folder.file("link").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "elsewhere/file")
    #expect(try scene.run([option, link, "--force"]).status == 0)
    #expect(try kind(link) == .typeSymbolicLink)
    let bytes = try Data(contentsOf: scene.folder.file("elsewhere/file"))
    #expect(bytes.count > 20 && !bytes.starts(with: Data("old".utf8)))
    #expect(try scene.folder.names("elsewhere") == ["file"])
  }

  @Test(arguments: options) func aFolderIsAMistakeBeforeAnythingIsMade(option: String) throws {
    let scene = try Scene(Self.line)
    try scene.run([option, scene.folder.path]).expect(2, "\(option) needs a file")
    #expect(!scene.folder.has("cache"))
  }

  @Test(.enabled(if: Mounts.arePossible, "a full disk needs unshare -m"), arguments: options + ["--report"])
  func aFullDiskEndsWithItsExitCode(option: String) throws {
    let scene = try Scene(Self.line)
    let disk = scene.folder.file("disk")
    try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
    try scene.run([option, disk.path + "/out"], wrapper: Mounts.full(disk.path)).expect(9, "pace")
    #expect(try scene.names().count == 1)
  }

  @Test func theReportGoesIntoFoldersAndLinksToThem() throws {
    let scene = try Scene(Self.line)
    for path in ["/dev/null", scene.folder.file("test.job").path] {
      try scene.run(["--report", path]).expect(2, "--report needs a folder")
    }
    #expect(try kind("/dev/null") == .typeCharacterSpecial)
    try scene.folder.makeFolder("page")
    try scene.folder.link("link", to: "page")
    for _ in 0..<2 { #expect(try scene.run(["--report", "link"]).status == 0) }
    #expect(try kind(scene.folder.file("link").path) == .typeSymbolicLink)
    #expect(try scene.folder.text("page/index.html").contains("</html>"))
  }

  @Test func theSummaryOfAJobIsAddedToWhateverNamesIt() throws {
    let scene = try Scene(Self.line)
    try scene.folder.write("before\n", to: "summary")
    let link = scene.folder.file("link").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "summary")
    let variables = ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": link]
    // Another program of the step has the file open, and goes on.
    let other = try FileHandle(forWritingTo: scene.folder.file("summary"))
    try scene.run(environment: variables).expect(0)
    try other.seekToEnd()
    try other.write(contentsOf: Data("behind\n".utf8))
    #expect(try kind(link) == .typeSymbolicLink)
    let text = try scene.folder.text("summary")
    #expect(text.hasPrefix("before\n") && text.contains("## Preheat") && text.hasSuffix("\nbehind\n"))
    for (path, status) in [("/dev/null", 0), ("/dev/full", 9), (scene.folder.path, 9)] {
      let result = try scene.run(
        environment: variables.merging(["GITHUB_STEP_SUMMARY": path]) { _, new in new })
      #expect(Int(result.status) == status, "\(path): \(result.messages)")
    }
    #expect(try kind("/dev/full") == .typeCharacterSpecial)
  }

  @Test func theRecordReplacesAPlantedLink() throws {
    let scene = try Scene(Self.line).warmed()
    let record = scene.folder.file("cache.preheat/last-run.ndjson")
    try FileManager.default.removeItem(at: record)
    try scene.folder.write("mine", to: "mine")
    try FileManager.default.createSymbolicLink(
      atPath: record.path, withDestinationPath: scene.folder.file("mine").path)
    #expect(try scene.run().status == 0)
    #expect(try scene.folder.text("mine") == "mine")
    #expect(try kind(record.path) == .typeRegular)
  }

  @Test func aBundleGoesWhereItsPathLeads() throws {
    let scene = try Scene(Self.line).warmed()
    func bundle(_ output: String, wrapper: [String] = []) throws -> BuiltCommand.Result {
      try scene.preheat(["bundle", "cache", "-o", output], wrapper: wrapper)
    }
    #expect(try bundle("plain.zip").status == 0)
    let plain = try Data(contentsOf: scene.folder.file("plain.zip"))

    try scene.folder.makeFolder("elsewhere")
    let links = [("link.zip", "elsewhere/b.zip"), ("full.zip", "/dev/full"), ("null.zip", "/dev/null")]
    for (link, target) in links {
      try scene.folder.link(link, to: target)
    }
    for _ in 0..<2 { #expect(try bundle("link.zip").status == 0) }
    #expect(try Data(contentsOf: scene.folder.file("elsewhere/b.zip")) == plain)
    #expect(try bundle("null.zip").status == 0)
    try bundle("full.zip").expect(9, "no space")
    for (link, _) in links { #expect(try kind(scene.folder.file(link).path) == .typeSymbolicLink) }
    #expect(try kind("/dev/full") == .typeCharacterSpecial && kind("/dev/null") == .typeCharacterSpecial)

    let pipe = scene.folder.file("pipe.zip").path
    #expect(mkfifo(pipe, 0o600) == 0)
    let reader = try BuiltCommand.start(
      ["-c", "exec timeout 60 cat '\(pipe)' > '\(scene.folder.file("got").path)'"], program: "/bin/sh")
    #expect(try bundle(pipe).status == 0)
    try reader.wait().expect(0)
    #expect(try Data(contentsOf: scene.folder.file("got")) == plain)

    try scene.folder.makeFolder("folder.zip")
    try bundle("folder.zip").expect(9, "a folder of that name")
    if Mounts.arePossible {
      let disk = scene.folder.file("disk")
      try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
      try bundle(disk.path + "/b.zip", wrapper: Mounts.full(disk.path)).expect(9)
    }
  }
}
