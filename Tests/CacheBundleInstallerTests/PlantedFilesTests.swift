import Foundation
import TestSupport
import Testing

@testable import CacheBundleInstaller

/// Links, pipes and lies where an installer reads and writes.
@Suite(.timeLimit(.minutes(10)))
struct PlantedFilesTests {
  private let temporary: TemporaryFolder
  private let folder: URL
  private let bundle: URL
  /// Somewhere that nothing of a bundle may reach.
  private let elsewhere: URL

  init() throws {
    temporary = try TemporaryFolder()
    folder = temporary.file("Caches/catalog")
    bundle = temporary.file("catalog.bundle")
    elsewhere = temporary.file("elsewhere")
    try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
    try Data("precious".utf8).write(to: elsewhere.appendingPathComponent("file"))
    try SampleBundle().write(asFolder: bundle)
  }

  private func refusal(of url: URL? = nil) -> BundleFailure.Code? {
    do throws(BundleFailure) {
      try BundleInstaller(folder: folder).install(url ?? bundle)
      return nil
    } catch {
      return error.code
    }
  }

  private func replace(_ path: String, withLinkTo target: URL) throws {
    let url = temporary.file(path)
    try? FileManager.default.removeItem(at: url)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(at: url, withDestinationURL: target)
  }

  private func expectNothingInstalled() throws {
    #expect(!FileManager.default.fileExists(atPath: folder.path))
    #expect(try tree(elsewhere) == ["file": "precious"])
    #expect(!FileManager.default.fileExists(atPath: folder.path + ".preheat-install"))
  }

  /// Also where the link leads to the very bytes that the index states.
  @Test(arguments: ["files/bbbb", "index.json", "id", "files"])
  func aLinkInAFolderBundleIsRefused(name: String) throws {
    let moved = temporary.file("moved")
    try FileManager.default.moveItem(at: bundle.appendingPathComponent(name), to: moved)
    try replace("catalog.bundle/" + name, withLinkTo: moved)
    #expect(refusal() == .path)
    try expectNothingInstalled()
  }

  @Test(arguments: ["files/bbbb", "index.json", "id"])
  func aPipeInAFolderBundleHoldsNobody(name: String) throws {
    let path = bundle.appendingPathComponent(name).path
    try FileManager.default.removeItem(atPath: path)
    #expect(mkfifo(path, 0o644) == 0)
    #expect(refusal() == .path)
    #expect(CacheBundle.id(at: bundle) == nil || name != "id")
    try expectNothingInstalled()
  }

  @Test func aPipeADeviceOrNothingInTheBundlesPlace() throws {
    let pipe = temporary.file("pipe.zip")
    #expect(mkfifo(pipe.path, 0o644) == 0)
    #expect(refusal(of: pipe) == .notFound)
    #expect(refusal(of: URL(fileURLWithPath: "/dev/zero")) == .notFound)
    #expect(refusal(of: temporary.file("none.zip")) == .notFound)
    #expect(CacheBundle.id(at: pipe) == nil)
    try expectNothingInstalled()
  }

  /// A sparse file costs nothing to make, and to read it would cost all memory.
  @Test(arguments: ["files/bbbb", "index.json", "id"])
  func aHugeFileIsRefusedUnread(name: String) throws {
    let path = bundle.appendingPathComponent(name).path
    #expect(truncate(path, 1 << 40) == 0)
    #expect(refusal() == .digest)
    try expectNothingInstalled()
  }

  @Test func anIndexOfBracketsOnly() throws {
    let brackets = Data(String(repeating: "[", count: 1 << 20).utf8)
    try brackets.write(to: bundle.appendingPathComponent("index.json"))
    #expect(refusal() == .index)
    try expectNothingInstalled()
  }

  @Test func aLinkInThePlaceOfTheUnfinishedFilesIsRefused() throws {
    try replace("Caches/catalog.preheat-install", withLinkTo: elsewhere)
    #expect(refusal() == .write)
    #expect(try tree(elsewhere) == ["file": "precious"])
  }

  @Test func aLinkInTheMarkersPlaceIsReplacedAndNotFollowed() throws {
    try replace("Caches/catalog.preheat-bundle", withLinkTo: elsewhere.appendingPathComponent("file"))
    #expect(refusal() == nil)
    #expect(try tree(elsewhere) == ["file": "precious"])
    #expect(try BundleInstaller(folder: folder).install(bundle).wasInstalled)
  }

  @Test func aLinkInAnEntrysPlaceIsRefused() throws {
    try replace("Caches/catalog/bbbb", withLinkTo: elsewhere.appendingPathComponent("file"))
    #expect(refusal() == .write)
    #expect(try tree(elsewhere) == ["file": "precious"])
    #expect(try tree(folder) == ["bbbb": "precious"])
  }

  /// An app's own folder may well be a link, as `/var` is on iOS.
  @Test func aClientsFolderBehindALinkIsFilled() throws {
    let real = temporary.file("real")
    try FileManager.default.createDirectory(at: real, withIntermediateDirectories: true)
    try replace("Caches/catalog", withLinkTo: real)
    #expect(refusal() == nil)
    #expect(try tree(real).count == 3)
  }

  /// A false id would keep an app from its bundle, or from the next one.
  @Test func anIdThatIsNotTheIndexs() throws {
    try Data((String(repeating: "0", count: 64) + "\n").utf8).write(to: bundle.appendingPathComponent("id"))
    #expect(refusal() == .digest)
    try FileManager.default.removeItem(at: bundle.appendingPathComponent("id"))
    #expect(refusal() == .notFound)
    try expectNothingInstalled()
  }

  @Test(arguments: ["", "Nuke", "nu ke", "nuke\n", "../nuke", String(repeating: "a", count: 41)])
  func aClientThatIsNoShortWord(client: String) throws {
    try SampleBundle(client: client).write(asFolder: bundle)
    #expect(refusal() == .index)
    try expectNothingInstalled()
  }

  @Test(arguments: [
    #"{"expiry":"creationDate"}"#, #"{"expiry":"none","sweep":"tags"}"#, #"{"sweep":"none"}"#,
    #"{"expiry":""}"#,
  ])
  func rulesThatNobodyKnows(rules: String) throws {
    let data = Data(rules.utf8)
    let unknown = try JSONDecoder().decode(BundleRules.self, from: data)
    try SampleBundle(edit: { $0.rules = unknown }).write(asFolder: bundle)
    #expect(refusal() == .version)
    try expectNothingInstalled()
  }

  @Test func rulesThatAreNoWords() throws {
    try SampleBundle().write(asFolder: bundle)
    let index = bundle.appendingPathComponent("index.json")
    let text = try String(contentsOf: index, encoding: .utf8)
    for rules in ["1", "[]", #"{"expiry":{"a":"b"}}"#, #"{"expiry":null}"#, "\"none\""] {
      let changed = text.replacing(/"rules" : \{[^}]*\}/) { _ in "\"rules\" : \(rules)" }
      try #require(changed != text)
      try Data(changed.utf8).write(to: index)
      #expect(refusal() == .index, "\(rules)")
    }
    try expectNothingInstalled()
  }
}
