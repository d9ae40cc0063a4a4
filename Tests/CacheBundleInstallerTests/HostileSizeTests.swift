import Foundation
import TestSupport
import Testing

@testable import CacheBundleInstaller
@testable import FileStore

/// Numbers that no cache has end neither the app nor its memory.
/// Archives may say of themselves what is not true.
@Suite(.timeLimit(.minutes(10)))
struct HostileSizeTests: InstallScene {
  let temporary = TemporaryFolder.new

  /// What the installer says of a bundle in both forms.
  private func refusals(_ edit: @escaping (inout BundleIndex) -> Void) throws -> [BundleFailure.Code?] {
    var bundle = SampleBundle()
    bundle.edit = { index in
      edit(&index)
      index.id = BundleIndex.id(of: index.entries)
    }
    let form = temporary.file("\(UUID().uuidString).bundle")
    try bundle.write(asZip: zip)
    try bundle.write(asFolder: form)
    return [zip, form].map { refusal(of: $0)?.code }
  }

  @Test func sizesAndTimesThatOverflowAreRefused() throws {
    let edits: [(inout BundleIndex) -> Void] = [
      { index in for place in 0..<2 { index.entries[place].size = .max } },
      { $0.entries[0].size = -1 }, { $0.entries[0].size = .min },
      { $0.entries[0].size = BundleFormat.maxEntryBytes + 1 },
      { $0.entries[0].expiresAfter = .max }, { $0.entries[0].expiresAt = .min },
      { ($0.signers, $0.counter) = (["0123456789abcdef"], .max) },
    ]
    for (number, edit) in edits.enumerated() {
      #expect(try refusals(edit) == [.index, .index], "\(number)")
    }
    #expect(try refusals { _ in } == [nil, nil])
  }

  @Test func aWholeBundleLeavesNothingToAnEarlierState() throws {
    #expect(try refusals { $0.entries[0].included = false } == [.index, .index])
    #expect(
      try refusals { $0.removed = [.init(file: "zzzz", sha256: $0.entries[0].sha256)] } == [.index, .index])
  }

  @Test func aSparseFileIsNotReadBecauseTheIndexSaysSo() throws {
    var sample = SampleBundle()
    let size = 1 << 40
    sample.edit = { index in
      index.entries[0].size = size
      index.id = BundleIndex.id(of: index.entries)
    }
    try sample.write(asFolder: bundle)
    #expect(truncate(bundle.appendingPathComponent("files/aaaa").path, size) == 0)
    #expect(refusal(of: bundle)?.code == .index)
  }

  @Test func theSizesOfAFolderCanBeAdded() {
    let entry = FileEntry(
      name: "a", size: .max, allocatedSize: .max, accessDate: .distantPast, modificationDate: .distantPast)
    #expect(entry.size == FileEntry.largest && entry.allocatedSize == FileEntry.largest)
    #expect(FileEntry.largest.multipliedReportingOverflow(by: 1 << 22).overflow == false)
  }

  /// Looked at as bytes: of such an index no values are made.
  @Test(arguments: ["{},", "1,", "[", "{\"a\":"])
  func moreThanAnIndexHasIsRefusedBeforeItIsDecoded(part: String) throws {
    let data = Data(("[" + String(repeating: part, count: BundleFormat.maxParts)).utf8)
    let failure = #expect(throws: BundleFailure.self) { try BundleIndex(reading: data) }
    #expect(failure?.message.contains("more than") == true)
  }

  /// A decoder takes them for JSON too, and their bytes hide what stands in them.
  @Test(arguments: [String.Encoding.utf16, .utf16LittleEndian, .utf32BigEndian])
  func anotherEncodingIsNoIndex(encoding: String.Encoding) throws {
    let index = String(decoding: try SampleBundle().index.encoded(), as: UTF8.self)
    #expect(try BundleIndex(reading: Data(index.utf8)).entries.count == 3)
    let data = try #require(index.data(using: encoding))
    #expect(throws: BundleFailure.self) { try BundleIndex(reading: data) }
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

  @Test func whatDoesNotGoWithTheIndex() throws {
    try SampleBundle().write(asZip: zip, extra: [("files/aaaa", Data("first".utf8))])
    #expect(refusal()?.code == .archive)
    try SampleBundle().write(asZip: zip) { all in all[2].data += Data(repeating: 0, count: 1000) }
    #expect(refusal()?.code == .digest)
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
