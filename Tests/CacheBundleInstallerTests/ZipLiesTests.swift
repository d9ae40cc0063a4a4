import Foundation
import TestSupport
import Testing

@testable import CacheBundleInstaller

/// Archives that say of themselves what is not true.
@Suite(.timeLimit(.minutes(10)))
struct ZipLiesTests {
  private let temporary: TemporaryFolder
  private let zip: URL

  init() throws {
    temporary = try TemporaryFolder()
    zip = temporary.file("catalog.zip")
  }

  private func refusal() -> BundleFailure? {
    do throws(BundleFailure) {
      try BundleInstaller(folder: temporary.file("Caches/catalog")).install(zip)
      return nil
    } catch {
      return error
    }
  }

  /// Overwrites bytes of the written archive.
  private func overwrite(_ edit: (inout Data) throws -> Void) throws {
    try SampleBundle().write(asZip: zip)
    var bytes = try Data(contentsOf: zip)
    try edit(&bytes)
    try bytes.write(to: zip)
  }

  private static let directoryEntry = Data([0x50, 0x4B, 1, 2])
  private static let localEntry = Data([0x50, 0x4B, 3, 4])

  @Test func entriesThatShareBytesCannotGrowBeyondTheArchive() throws {
    let name = "files/aaaa"
    let picture = Data(repeating: 7, count: 4000)
    try SampleBundle().write(asZip: zip) { all in
      for index in all.indices where all[index].name == name { all[index].data = picture }
    }
    var bytes = try Data(contentsOf: zip)
    // All other files point to the same bytes, too.
    var at = try #require(bytes.firstRange(of: Self.directoryEntry)).lowerBound
    for _ in 0..<5 {
      let length = try #require(bytes.little(at + 28, 2))
      bytes.replaceSubrange((at + 20)..<(at + 28), with: [0xA0, 0x0F, 0, 0, 0xA0, 0x0F, 0, 0])
      at += 46 + length
    }
    try bytes.write(to: zip)
    let failure = refusal()
    #expect(failure?.code == .archive && failure?.message.contains("larger than the archive") == true)
  }

  @Test func sizesOf64BitsReachNowhere() throws {
    for size: [UInt8] in [[0xFE, 0xFF, 0xFF, 0xFF], [0xFF, 0xFF, 0xFF, 0x7F]] {
      try overwrite { bytes in
        let at = try #require(bytes.firstRange(of: Self.directoryEntry)).lowerBound
        bytes.replaceSubrange((at + 20)..<(at + 28), with: size + size)
      }
      #expect(refusal()?.code == .archive)
    }
  }

  @Test func aCountThatNoDirectoryCouldHold() throws {
    try overwrite { bytes in
      let end = bytes.count - 22
      bytes.replaceSubrange((end + 8)..<(end + 12), with: [0xFE, 0xFF, 0xFE, 0xFF])
    }
    #expect(refusal()?.code == .archive)
  }

  /// Other tools unpack by the name in front of the bytes.
  @Test func aLocalNameThatIsNotTheDirectorys() throws {
    try overwrite { bytes in
      let name = try #require(bytes.firstRange(of: Data("files/aaaa".utf8)))
      bytes.replaceSubrange(name, with: Data("../../evil".utf8))
    }
    #expect(refusal()?.code == .archive)
    try overwrite { bytes in
      // The first entry claims to be compressed in front of its bytes only.
      let at = try #require(bytes.firstRange(of: Self.localEntry)).lowerBound
      bytes[at + 8] = 8
    }
    #expect(refusal()?.code == .archive)
  }

  @Test func twoEntriesOfOneName() throws {
    try SampleBundle().write(asZip: zip, extra: [("files/aaaa", Data("first".utf8))])
    #expect(refusal()?.code == .archive)
  }

  @Test func anEntryThatIsLargerThanTheIndexSays() throws {
    try SampleBundle().write(asZip: zip) { all in all[2].data += Data(repeating: 0, count: 1000) }
    #expect(refusal()?.code == .digest)
  }

  /// Bytes at random from a fixed beginning, at many places: nothing but a refusal or the right files.
  @Test func noisyArchivesNeverInstallAWrongByte() throws {
    let bundle = SampleBundle()
    try bundle.write(asZip: zip)
    let whole = try Data(contentsOf: zip)
    var state: UInt64 = 42
    for round in 0..<300 {
      var bytes = whole
      for _ in 0..<8 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 56)
      }
      try bytes.write(to: zip)
      let target = temporary.file("Caches/noise\(round)")
      guard (try? BundleInstaller(folder: target).install(zip)) != nil else {
        #expect(!FileManager.default.fileExists(atPath: target.path))
        continue
      }
      #expect(try tree(target) == bundle.files)
    }
  }
}
