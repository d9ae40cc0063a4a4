import Foundation
import TestSupport
import Testing

@testable import FileStore

@Suite(.timeLimit(.minutes(10)))
struct FileStoreWritingTests {
  let temporary: TemporaryFolder
  let store: FileStore

  init() throws {
    temporary = try TemporaryFolder()
    store = try FileStore(folder: temporary.file("cache"), temporaryFolder: temporary.file("cache.state/tmp"))
  }

  @Test func temporariesLieInTheirOwnFolderAndAreGoneAfterwards() throws {
    let staged = try store.stage(Data("x".utf8), as: "name")
    #expect(try store.entries(includingHidden: true).isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.temporaryFolder.path).count == 1)

    try store.synchronize()
    try store.publish(staged)

    #expect(try store.read("name") == Data("x".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.temporaryFolder.path).isEmpty)
  }

  @Test func aFileInPiecesIsWholeOrAbsent() throws {
    try store.write("name") { append in
      for piece in ["a", "", "bc"] { try append(Data(piece.utf8)) }
      #expect(!store.contains("name"))
    }
    #expect(try store.read("name") == Data("abc".utf8))
    #expect(throws: CancellationError.self) {
      try store.write("name") { append in
        try append(Data("torn".utf8))
        throw CancellationError()
      }
    }
    #expect(try store.read("name") == Data("abc".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.temporaryFolder.path).isEmpty)
  }

  @Test func aDiscardedFileNeverAppearsAndPublishingItIsAnError() throws {
    let staged = try store.stage(Data("x".utf8), as: "name")
    store.discard(staged)
    #expect(throws: FileStoreError.self) { try store.publish(staged) }
    #expect(!store.contains("name"))
  }

  @Test func theTemporariesOfTheDeadAreRemovedThoseBeingWrittenAreNot() throws {
    _ = try store.stage(Data("left by a process that died".utf8), as: "name")
    try Data().write(to: store.temporaryFolder.appendingPathComponent("foreign"))
    let draft = try Draft(in: store.temporaryFolder.path)
    try draft.fill(with: Data("being written".utf8), dates: FileDates())

    try store.removeAbandonedTemporaries()

    let names = try FileManager.default.contentsOfDirectory(atPath: store.temporaryFolder.path)
    #expect(names.count == 2)
    #expect(names.contains("foreign"))
    try draft.publish(as: store.path(of: "name"))
    #expect(try store.read("name") == Data("being written".utf8))
  }

  @Test func aDraftThatIsNotPublishedTakesItsFileWithIt() throws {
    do {
      let draft = try Draft(in: store.temporaryFolder.path)
      #expect(try FileManager.default.contentsOfDirectory(atPath: store.temporaryFolder.path).count == 1)
      _ = draft
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.temporaryFolder.path).isEmpty)
  }

  /// Every version of the file is one byte repeated, as often as the byte says: a mixture or a part of one
  /// shows.
  @Test func aReaderNeverSeesATornFileWhileWritersOverwriteIt() async throws {
    let store = store
    let versions = (1...8).map { Data(repeating: UInt8($0), count: $0 * 3001) }
    try store.write(versions[0], as: "name")
    try await withThrowingTaskGroup(of: Int.self) { group in
      for writer in 0..<2 {
        group.addTask {
          for round in 0..<5000 { try store.write(versions[(round * 3 + writer) % 8], as: "name") }
          return 0
        }
      }
      for _ in 0..<2 {
        group.addTask {
          var torn = 0
          for _ in 0..<10_000 {
            let data = try #require(try store.read("name"))
            let first = try #require(data.first)
            if data != versions[Int(first) - 1] { torn += 1 }
          }
          return torn
        }
      }
      for try await torn in group { #expect(torn == 0) }
    }
  }

  @Test func anExplicitReadSetsTheAccessDateAndNothingElseDoes() throws {
    let past = Date(timeIntervalSince1970: 1_000_000_000.5)
    try store.write(Data("x".utf8), as: "name", dates: FileDates(access: past, modification: past))
    #expect(try store.entry(named: "name")?.accessDate == past)
    #expect(store.contains("name"))
    #expect(try store.entry(named: "name")?.accessDate == past)

    let before = Date()
    _ = try store.read("name", updatingAccessDate: true)

    let entry = try #require(try store.entry(named: "name"))
    // The kernel's clock for files ticks more coarsely than `Date()`.
    #expect(entry.accessDate > before - 1)
    #expect(entry.modificationDate == past)
  }

  @Test func eachDateCanBeSetAlone() throws {
    let (early, late) = (Date(timeIntervalSince1970: -1.25), Date(timeIntervalSince1970: 4_070_908_800))
    try store.write(Data("x".utf8), as: "name", dates: FileDates(access: early, modification: early))
    try store.setDates(FileDates(modification: late), of: "name")
    #expect(try store.entry(named: "name")?.accessDate == early)
    #expect(try store.entry(named: "name")?.modificationDate == late)
    #expect(throws: FileStoreError.self) { try store.setDates(FileDates(access: early), of: "missing") }
    #expect(throws: FileStoreError.self) { try store.setDates(FileDates(access: early), of: "..") }
  }

  @Test func datesBeyondWhatAFileSystemHoldsDoNotTrap() {
    #expect(timespec(date: .init(timeIntervalSince1970: .infinity)).tv_sec == .max)
    #expect(timespec(date: .init(timeIntervalSince1970: -1e300)).tv_sec == .min)
    #expect(timespec(date: .init(timeIntervalSince1970: .nan)).tv_nsec == 0)
  }

  @Test func aListingGivesSizesInBytesAndInBlocksWithoutHiddenFiles() throws {
    try store.write(Data(repeating: 1, count: 5000), as: "b")
    try store.write(Data(repeating: 1, count: 1), as: "a")
    try store.write(Data(), as: ".hidden")
    var status = stat()
    #expect(stat(store.path(of: "b"), &status) == 0)

    let entries = try store.entries()

    #expect(entries.map(\.name) == ["a", "b"])
    #expect(entries.map(\.size) == [1, 5000])
    #expect(entries[1].allocatedSize == Int(status.st_blocks) * 512)
  }
}
