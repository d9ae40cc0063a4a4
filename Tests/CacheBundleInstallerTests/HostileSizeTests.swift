import Foundation
import TestSupport
import Testing

@testable import CacheBundleInstaller
@testable import FileStore

/// Numbers that no cache has end neither the app nor its memory.
@Suite(.timeLimit(.minutes(10)))
struct HostileSizeTests {
  private let temporary: TemporaryFolder

  init() throws { temporary = try TemporaryFolder() }

  /// What the installer says of a bundle in both forms.
  private func refusals(_ edit: @escaping (inout BundleIndex) -> Void) throws -> [BundleFailure.Code?] {
    var bundle = SampleBundle()
    bundle.edit = { index in
      edit(&index)
      index.id = BundleIndex.id(of: index.entries)
    }
    let (zip, folder) = (temporary.file("a.zip"), temporary.file("\(UUID().uuidString).bundle"))
    try bundle.write(asZip: zip)
    try bundle.write(asFolder: folder)
    return [zip, folder].map { source in
      do throws(BundleFailure) {
        _ = try BundleInstaller(folder: temporary.file("Caches/catalog")).install(source)
        return nil
      } catch {
        return error.code
      }
    }
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
    let source = temporary.file("catalog.bundle")
    var bundle = SampleBundle()
    let size = 1 << 40
    bundle.edit = { index in
      index.entries[0].size = size
      index.id = BundleIndex.id(of: index.entries)
    }
    try bundle.write(asFolder: source)
    #expect(truncate(source.appendingPathComponent("files/aaaa").path, size) == 0)
    let failure = #expect(throws: BundleFailure.self) {
      try BundleInstaller(folder: temporary.file("Caches/catalog")).install(source)
    }
    #expect(failure?.code == .index)
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
}
