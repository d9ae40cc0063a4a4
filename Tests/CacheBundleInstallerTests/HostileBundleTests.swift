import Foundation
import TestSupport
import Testing

@testable import CacheBundleInstaller

/// Bundles come over the network: whatever is wrong with one, nothing of it is installed.
@Suite(.timeLimit(.minutes(10)))
struct HostileBundleTests {
  private let temporary: TemporaryFolder
  private let folder: URL
  private let zip: URL

  init() throws {
    temporary = try TemporaryFolder()
    folder = temporary.url.appendingPathComponent("Caches/catalog")
    zip = temporary.url.appendingPathComponent("catalog.zip")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: folder.appendingPathComponent("own"))
  }

  private func refusal() -> BundleFailure? {
    do {
      _ = try BundleInstaller(folder: folder).install(zip)
      return nil
    } catch {
      return error
    }
  }

  private func expectUntouched() throws {
    let below = try tree(temporary.url).filter { $0.key != "catalog.zip" }
    #expect(below == ["Caches/catalog/own": "mine"])
  }

  @Test(arguments: ["../evil", "/etc/evil", "a/b", "..", ".hidden", "", "a\\b", "a\u{0}b"])
  func aNameThatReachesOutside(name: String) throws {
    var bundle = SampleBundle()
    bundle.edit = { index in
      index.entries[0].file = name
      index.id = BundleIndex.id(of: index.entries)
    }
    try bundle.write(asZip: zip)
    #expect(refusal()?.code == .path)
    try expectUntouched()
  }

  @Test(arguments: ["../../evil", "files/../../evil", "/evil", "other.txt", "files/zzzz"])
  func anArchiveEntryThatTheIndexDoesNotKnow(name: String) throws {
    try SampleBundle().write(asZip: zip, extra: [(name, Data("evil".utf8))])
    #expect(refusal()?.code == .path)
    try expectUntouched()
  }

  @Test func aLaterVersionACompressedEntryAndTwoNamesThatDifferInCase() throws {
    var bundle = SampleBundle()
    bundle.edit = { $0.version = 2 }
    try bundle.write(asZip: zip)
    #expect(refusal()?.code == .version)
    try SampleBundle().write(asZip: zip, method: 8)
    #expect(refusal()?.code == .archive)
    try SampleBundle(files: ["aaaa": "1", "AAAA": "2"]).write(asZip: zip)
    #expect(refusal()?.code == .index)
    try expectUntouched()
  }

  /// Wherever it is cut, at every length.
  @Test func aCutArchiveIsRefused() throws {
    try SampleBundle().write(asZip: zip)
    let whole = try Data(contentsOf: zip)
    for length in whole.indices {
      try whole.prefix(length).write(to: zip)
      #expect(refusal() != nil, "cut to \(length) bytes")
    }
    try expectUntouched()
  }

  /// A flipped bit is either refused or in bytes that mean nothing (dates, attributes): then what is installed is right.
  @Test func aFlippedBitNeverInstallsAWrongByte() throws {
    let bundle = SampleBundle()
    try bundle.write(asZip: zip)
    let whole = try Data(contentsOf: zip)
    var refused = 0
    for index in whole.indices {
      var damaged = whole
      damaged[index] ^= 1 << UInt8(index % 8)
      try damaged.write(to: zip)
      let target = temporary.url.appendingPathComponent("Caches/flipped")
      do {
        _ = try BundleInstaller(folder: target).install(zip)
        #expect(try tree(target) == bundle.files, "bit flipped in byte \(index)")
      } catch {
        refused += 1
        #expect((try? tree(target)) ?? [:] == [:], "bit flipped in byte \(index)")
      }
      try? FileManager.default.removeItem(at: target)
      try? FileManager.default.removeItem(
        at: temporary.url.appendingPathComponent("Caches/flipped.preheat-bundle"))
    }
    #expect(refused > whole.count / 2)
  }

  @Test func whatIsMissingIsNamed() throws {
    #expect(refusal()?.code == .notFound)
    try Data("no archive".utf8).write(to: zip)
    #expect(refusal()?.code == .archive)
    try expectUntouched()
  }
}
