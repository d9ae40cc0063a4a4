import Foundation
import TestSupport
import Testing

@testable import CacheBundleInstaller

/// Bundles come over the network: whatever is wrong with one, nothing of it is installed.
@Suite(.timeLimit(.minutes(10)))
struct HostileBundleTests: InstallScene {
  let temporary = TemporaryFolder.new

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: folder.appendingPathComponent("own"))
  }

  private func expectUntouched() throws {
    let below = try tree(temporary.url).filter { $0.key != "catalog.zip" }
    #expect(below == ["Caches/catalog/own": "mine"])
  }

  @Test(arguments: ["../evil", "/etc/evil", "a/b", "..", ".hidden", ".\u{308}hidden", "", "a\\b", "a\u{0}b"])
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

  @Test func aLaterVersionAndTwoNamesThatDifferInCase() throws {
    var bundle = SampleBundle()
    bundle.edit = { $0.version = 2 }
    try bundle.write(asZip: zip)
    #expect(refusal()?.code == .version)
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

  /// Every bit of every byte: nothing in a bundle is without meaning, but for what an unsigned index says about people
  /// and places.
  @Test func aFlippedBitIsRefusedUnlessTheIndexIsUnsigned() throws {
    let bundle = SampleBundle()
    try bundle.write(asZip: zip)
    let whole = try Data(contentsOf: zip)
    let index = try #require(whole.firstRange(of: Data(bundle.index.encoded())))
    for position in whole.indices {
      for bit in 0..<8 {
        var damaged = whole
        damaged[position] ^= 1 << UInt8(bit)
        let target = temporary.url.appendingPathComponent("Caches/flipped")
        try damaged.write(to: zip)
        do {
          _ = try BundleInstaller(folder: target).install(zip)
          #expect(index.contains(position), "bit \(bit) of byte \(position)")
          #expect(try tree(target) == bundle.files, "bit \(bit) of byte \(position)")
          try? FileManager.default.removeItem(at: target)
          try? FileManager.default.removeItem(atPath: target.path + ".preheat-bundle")
        } catch {
          #expect((try? tree(target)) ?? [:] == [:], "bit \(bit) of byte \(position)")
        }
      }
    }
  }

  @Test func whatIsMissingIsNamed() throws {
    #expect(refusal()?.code == .notFound)
    try Data("no archive".utf8).write(to: zip)
    #expect(refusal()?.code == .archive)
    try expectUntouched()
  }
}
