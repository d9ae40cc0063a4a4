import Foundation
import TestSupport
import Testing

@testable import CacheBundleInstaller

/// Links, pipes and lies where an installer reads and writes.
@Suite(.timeLimit(.minutes(10)))
struct PlantedFilesTests: InstallScene {
  let temporary = TemporaryFolder.new
  /// Somewhere that nothing of a bundle may reach.
  private let elsewhere: URL

  init() throws {
    elsewhere = temporary.file("elsewhere")
    try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
    try Data("precious".utf8).write(to: elsewhere.appendingPathComponent("file"))
    try SampleBundle().write(asFolder: bundle)
  }

  private func refusal(_ url: URL? = nil) -> BundleFailure.Code? { refusal(of: url ?? bundle)?.code }

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

  /// A link, also where it leads to the very bytes that the index states; a pipe, which holds nobody; and a sparse file,
  /// which costs nothing to make, and to read it would cost all memory.
  @Test(arguments: ["files/bbbb", "index.json", "id", "files"], ["link", "pipe", "huge"])
  func aFolderBundleHasPlainFiles(name: String, kind: String) throws {
    let url = bundle.appendingPathComponent(name)
    let moved = temporary.file("moved")
    guard name != "files" || kind == "link" else { return }
    if kind == "huge" {
      #expect(truncate(url.path, 1 << 40) == 0)
    } else {
      try FileManager.default.moveItem(at: url, to: moved)
      if kind == "link" { try replace("catalog.bundle/" + name, withLinkTo: moved) }
      if kind == "pipe" { #expect(mkfifo(url.path, 0o644) == 0) }
    }
    #expect(refusal() == (kind == "huge" ? .digest : .path))
    if kind == "pipe" { #expect(CacheBundle.id(at: bundle) == nil || name != "id") }
    try expectNothingInstalled()
  }

  @Test func aPipeADeviceOrNothingInTheBundlesPlace() throws {
    let pipe = temporary.file("pipe.zip")
    #expect(mkfifo(pipe.path, 0o644) == 0)
    #expect(refusal(pipe) == .notFound)
    #expect(refusal(URL(fileURLWithPath: "/dev/zero")) == .notFound)
    #expect(refusal(temporary.file("none.zip")) == .notFound)
    #expect(CacheBundle.id(at: pipe) == nil)
    try expectNothingInstalled()
  }

  @Test func anIndexOfBracketsOnly() throws {
    let brackets = Data(String(repeating: "[", count: 1 << 20).utf8)
    try brackets.write(to: bundle.appendingPathComponent("index.json"))
    #expect(refusal() == .index)
    try expectNothingInstalled()
  }

  @Test(arguments: [("catalog.preheat-install", "", [:]), ("catalog/bbbb", "file", ["bbbb": "precious"])])
  func aLinkInThePlaceOfUnfinishedFilesOrAnEntryIsRefused(
    name: String, target: String, left: [String: String]
  ) throws {
    try replace(
      "Caches/" + name, withLinkTo: target.isEmpty ? elsewhere : elsewhere.appendingPathComponent(target))
    #expect(refusal() == .write)
    #expect(try tree(elsewhere) == ["file": "precious"])
    #expect(((try? tree(folder)) ?? [:]) == left)
  }

  @Test func aLinkInTheMarkersPlaceIsReplacedAndNotFollowed() throws {
    try replace("Caches/catalog.preheat-bundle", withLinkTo: elsewhere.appendingPathComponent("file"))
    #expect(refusal() == nil)
    #expect(try tree(elsewhere) == ["file": "precious"])
    #expect(try BundleInstaller(folder: folder).install(bundle).wasInstalled)
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
    (#"{"expiry":"creationDate"}"#, BundleFailure.Code.version),
    (#"{"expiry":"none","sweep":"tags"}"#, .version),
    (#"{"sweep":"none"}"#, .version), (#"{"expiry":""}"#, .version), ("1", .index), ("[]", .index),
    (#"{"expiry":{"a":"b"}}"#, .index), (#"{"expiry":null}"#, .index), ("\"none\"", .index),
  ])
  func rulesThatNobodyKnows(rules: String, code: BundleFailure.Code) throws {
    var sample = SampleBundle()
    if code == .version {
      let unknown = try JSONDecoder().decode(BundleRules.self, from: Data(rules.utf8))
      sample.edit = { $0.rules = unknown }
    }
    try sample.write(asFolder: bundle)
    if code == .index {
      let index = bundle.appendingPathComponent("index.json")
      let text = try String(contentsOf: index, encoding: .utf8)
      let changed = text.replacing(/"rules" : \{[^}]*\}/) { _ in "\"rules\" : \(rules)" }
      try #require(changed != text)
      try Data(changed.utf8).write(to: index)
    }
    #expect(refusal() == code)
    try expectNothingInstalled()
  }
}
