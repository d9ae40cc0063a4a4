import Foundation
import Glibc
import TestSupport
import Testing

/// Every option that names a file for output, and every kind of thing that may be at its path.
@Suite(.timeLimit(.minutes(10)))
struct OutputPlaceTests {
  private static let options = ["--junit", "--metrics", "--trace", "--signposts"]
  private static let line = "\(Scene.images.appendingPathComponent("logo.png").path) card id=logo"

  private func kind(_ path: String) throws -> FileAttributeType? {
    try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
  }

  @Test(arguments: options) func aDeviceStaysADevice(option: String) throws {
    let scene = try Scene(Self.line)
    #expect(try scene.run([option, "/dev/null"]).status == 0)
    let full = try scene.run([option, "/dev/full"])
    #expect(full.status == 9 && full.messages.contains("/dev/full"), "\(full.messages)")
    #expect(try kind("/dev/null") == .typeCharacterSpecial)
    #expect(try kind("/dev/full") == .typeCharacterSpecial)
    #expect(try scene.names().count == 1)
  }

  @Test(arguments: options) func aPipeGetsAllOfIt(option: String) throws {
    let scene = try Scene(Self.line)
    let pipe = scene.folder.file("pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    let reader = Process()
    reader.executableURL = URL(fileURLWithPath: "/bin/sh")
    reader.arguments = ["-c", "exec timeout 60 cat '\(pipe)' > '\(scene.folder.file("got").path)'"]
    try reader.run()
    #expect(try scene.run([option, pipe]).status == 0)
    reader.waitUntilExit()
    #expect(try !Data(contentsOf: scene.folder.file("got")).isEmpty)
    #expect(mkfifo(pipe, 0o600) == -1 && errno == EEXIST)
  }

  @Test(arguments: options) func aLinkStaysAndItsFileIsWritten(option: String) throws {
    let scene = try Scene(Self.line)
    try FileManager.default.createDirectory(
      at: scene.folder.file("elsewhere"), withIntermediateDirectories: true)
    try Data("old".utf8).write(to: scene.folder.file("elsewhere/file"))
    let link = scene.folder.file("link").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "elsewhere/file")
    #expect(try scene.run([option, link, "--force"]).status == 0)
    #expect(try kind(link) == .typeSymbolicLink)
    let bytes = try Data(contentsOf: scene.folder.file("elsewhere/file"))
    #expect(bytes.count > 20 && !bytes.starts(with: Data("old".utf8)))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scene.folder.file("elsewhere").path) == ["file"])
  }

  @Test(arguments: options) func aFolderIsAMistakeBeforeAnythingIsMade(option: String) throws {
    let scene = try Scene(Self.line)
    let result = try scene.run([option, scene.folder.path])
    #expect(result.status == 2 && result.messages.contains("\(option) needs a file"), "\(result.messages)")
    #expect(!FileManager.default.fileExists(atPath: scene.folder.file("cache").path))
  }

  @Test(.enabled(if: Mounts.arePossible, "a full disk needs unshare -m"), arguments: options + ["--report"])
  func aFullDiskEndsWithItsExitCode(option: String) throws {
    let scene = try Scene(Self.line)
    let disk = scene.folder.file("disk")
    try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
    let result = try scene.run([option, disk.path + "/out"], wrapper: Mounts.full(disk.path))
    #expect(result.status == 9 && result.messages.contains("pace"), "\(result.status): \(result.messages)")
    #expect(try scene.names().count == 1)
  }

  @Test func theReportGoesIntoFoldersAndLinksToThem() throws {
    let scene = try Scene(Self.line)
    for path in ["/dev/null", scene.folder.file("test.job").path] {
      let result = try scene.run(["--report", path])
      #expect(result.status == 2 && result.messages.contains("--report needs a folder"), "\(result.messages)")
    }
    #expect(try kind("/dev/null") == .typeCharacterSpecial)
    try FileManager.default.createDirectory(at: scene.folder.file("page"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: scene.folder.file("link").path, withDestinationPath: "page")
    for _ in 0..<2 { #expect(try scene.run(["--report", "link"]).status == 0) }
    #expect(try kind(scene.folder.file("link").path) == .typeSymbolicLink)
    #expect(try String(contentsOf: scene.folder.file("page/index.html"), encoding: .utf8).contains("</html>"))
  }

  @Test func theSummaryOfAJobIsAddedToWhateverNamesIt() throws {
    let scene = try Scene(Self.line)
    try Data("before\n".utf8).write(to: scene.folder.file("summary"))
    let link = scene.folder.file("link").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "summary")
    let variables = ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": link]
    // Another program of the step has the file open, and goes on.
    let other = try FileHandle(forWritingTo: scene.folder.file("summary"))
    #expect(try scene.run(environment: variables).status == 0)
    try other.seekToEnd()
    try other.write(contentsOf: Data("behind\n".utf8))
    #expect(try kind(link) == .typeSymbolicLink)
    let text = try String(contentsOf: scene.folder.file("summary"), encoding: .utf8)
    #expect(text.hasPrefix("before\n") && text.contains("## Preheat") && text.hasSuffix("\nbehind\n"))
    for (path, status) in [("/dev/null", 0), ("/dev/full", 9), (scene.folder.path, 9)] {
      let result = try scene.run(
        environment: variables.merging(["GITHUB_STEP_SUMMARY": path]) { _, new in new })
      #expect(Int(result.status) == status, "\(path): \(result.messages)")
    }
    #expect(try kind("/dev/full") == .typeCharacterSpecial)
  }

  @Test func theRecordReplacesAPlantedLink() throws {
    let scene = try Scene(Self.line)
    #expect(try scene.run().status == 0)
    let record = scene.folder.file("cache.preheat/last-run.ndjson")
    try FileManager.default.removeItem(at: record)
    try Data("mine".utf8).write(to: scene.folder.file("mine"))
    try FileManager.default.createSymbolicLink(
      atPath: record.path, withDestinationPath: scene.folder.file("mine").path)
    #expect(try scene.run().status == 0)
    #expect(try String(contentsOf: scene.folder.file("mine"), encoding: .utf8) == "mine")
    #expect(try kind(record.path) == .typeRegular)
  }

  @Test func aBundleGoesWhereItsPathLeads() throws {
    let scene = try Scene(Self.line)
    #expect(try scene.run().status == 0)
    func bundle(_ output: String, wrapper: [String] = []) throws -> BuiltCommand.Result {
      try BuiltCommand.run(["bundle", "cache", "-o", output], in: scene.folder.url, wrapper: wrapper)
    }
    #expect(try bundle("plain.zip").status == 0)
    let plain = try Data(contentsOf: scene.folder.file("plain.zip"))

    try FileManager.default.createDirectory(
      at: scene.folder.file("elsewhere"), withIntermediateDirectories: true)
    let links = [("link.zip", "elsewhere/b.zip"), ("full.zip", "/dev/full"), ("null.zip", "/dev/null")]
    for (link, target) in links {
      try FileManager.default.createSymbolicLink(
        atPath: scene.folder.file(link).path, withDestinationPath: target)
    }
    for _ in 0..<2 { #expect(try bundle("link.zip").status == 0) }
    #expect(try Data(contentsOf: scene.folder.file("elsewhere/b.zip")) == plain)
    #expect(try bundle("null.zip").status == 0)
    let full = try bundle("full.zip")
    #expect(full.status == 9 && full.messages.contains("no space"), "\(full.messages)")
    for (link, _) in links { #expect(try kind(scene.folder.file(link).path) == .typeSymbolicLink) }
    #expect(try kind("/dev/full") == .typeCharacterSpecial && kind("/dev/null") == .typeCharacterSpecial)

    let pipe = scene.folder.file("pipe.zip").path
    #expect(mkfifo(pipe, 0o600) == 0)
    let reader = Process()
    reader.executableURL = URL(fileURLWithPath: "/bin/sh")
    reader.arguments = ["-c", "exec timeout 60 cat '\(pipe)' > '\(scene.folder.file("got").path)'"]
    try reader.run()
    #expect(try bundle(pipe).status == 0)
    reader.waitUntilExit()
    #expect(try Data(contentsOf: scene.folder.file("got")) == plain)

    try FileManager.default.createDirectory(
      at: scene.folder.file("folder.zip"), withIntermediateDirectories: true)
    let folder = try bundle("folder.zip")
    #expect(folder.status == 9 && folder.messages.contains("a folder of that name"), "\(folder.messages)")
    if Mounts.arePossible {
      let disk = scene.folder.file("disk")
      try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
      let result = try bundle(disk.path + "/b.zip", wrapper: Mounts.full(disk.path))
      #expect(result.status == 9, "\(result.status): \(result.messages)")
    }
  }
}
