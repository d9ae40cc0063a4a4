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

  /// All records of the directory point to the bytes of one large entry.
  @Test func entriesThatShareBytesCannotGrowBeyondTheArchive() throws {
    try overwrite { bytes in
      var at = try #require(bytes.firstRange(of: Self.directoryEntry)).lowerBound
      while bytes[at..<(at + 4)] == Self.directoryEntry {
        bytes.replaceSubrange((at + 42)..<(at + 46), with: [0, 0, 0, 0])
        at += 46 + Int(bytes[at + 28]) + Int(bytes[at + 30])
      }
    }
    #expect(refusal()?.code == .archive)
  }

  @Test func sizesOfManyBytesReachNowhere() throws {
    for size: [UInt8] in [[0xFE, 0xFF, 0xFF, 0xFF], [0xFF, 0xFF, 0xFF, 0x7F], [0xFF, 0xFF, 0xFF, 0xFF]] {
      for (signature, offset) in [(Self.directoryEntry, 20), (Self.localEntry, 18)] {
        try overwrite { bytes in
          let at = try #require(bytes.firstRange(of: signature)).lowerBound
          bytes.replaceSubrange((at + offset)..<(at + offset + 8), with: size + size)
        }
        #expect(refusal()?.code == .archive)
      }
    }
  }

  @Test func aCountThatIsNotThatOfTheEntries() throws {
    try overwrite { bytes in
      let end = bytes.count - 22
      bytes.replaceSubrange((end + 8)..<(end + 12), with: [0xFE, 0xFF, 0xFE, 0xFF])
    }
    #expect(refusal()?.code == .archive)
  }

  /// What other tools accept and a bundle never has.
  @Test(arguments: ["prefix", "suffix", "comment", "gap", "name", "method", "order", "date"])
  func anArchiveThatIsNotCanonical(lie: String) throws {
    let bundle = SampleBundle()
    var files = try bundle.contents().map { (name: $0.name, data: $0.data, date: ZipEntry.dates.lowerBound) }
    if lie == "order" { files.swapAt(2, 3) }
    if lie == "date" { files[3].date += 2 }
    var bytes = SampleBundle.zip(files)
    let name = try #require(bytes.firstRange(of: Data("files/aaaa".utf8)))
    switch lie {
    case "prefix": bytes = Data([0]) + bytes
    case "suffix": bytes += Data([0])
    case "comment": bytes = bytes.dropLast(2) + Data([1, 0, 0x21])
    case "gap": bytes.insert(0, at: name.lowerBound - 30)
    case "name": bytes.replaceSubrange(name, with: Data("../../evil".utf8))
    // The entry claims to be compressed in front of its bytes only.
    case "method": bytes[name.lowerBound - 22] = 8
    default: break
    }
    try bytes.write(to: zip)
    #expect(refusal()?.code == .archive)
    #expect(!FileManager.default.fileExists(atPath: temporary.file("Caches").path))
  }

  /// Without a date in the index it is that of 1980.
  @Test(arguments: [(nil, false), (1_700_000_000, true), (1_700_000_002, false)] as [(Int?, Bool)])
  func theFilesHaveTheDateThatTheIndexStates(stated: Int?, isRight: Bool) throws {
    let bundle = SampleBundle(edit: { $0.date = stated })
    let files = try bundle.contents().map { (name: $0.name, data: $0.data, date: 1_700_000_000) }
    try SampleBundle.zip(files).write(to: zip)
    #expect(refusal()?.code == (isRight ? nil : .archive))
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
