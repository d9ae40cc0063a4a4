import Foundation
import TestSupport
import Testing

@testable import CacheStore
@testable import FileStore
@testable import Planning

/// Full disks and worse, at every call of the way into the cache.
@Suite(.timeLimit(.minutes(FaultCount.minutes)))
struct StoreFaultTests {
  private static let codes: [(Int32, StoreFailure.Code)] = [
    (ENOSPC, .full), (EDQUOT, .full), (EIO, .notWritable), (EROFS, .notWritable), (EMFILE, .notWritable),
  ]

  private let names = (0..<FaultCount.of(3, full: 100)).map { "file\(1000 + $0)" }

  private func file(_ name: String) -> FinishedFile {
    FinishedFile(
      bytes: Data(name.utf8) + Data(repeating: 7, count: 3000), entry: LedgerScene.entry(name, size: 3008),
      dates: FileDates(access: Date(timeIntervalSince1970: 1_000_000_000)))
  }

  /// Stages and publishes a group on a disk with faults.
  private func write(_ state: StateFolder) async throws {
    let files = FileStoreFolder.of(state)
    let writer = CacheWriter<String>(
      files: files, ledger: try LedgerWriter(path: state.ledger), maxAge: .seconds(600)
    ) { _, _, _ in }
    var failure: (any Error)?
    do {
      for name in names { try await writer.stage([file(name)], outcomes: [name]) }
    } catch {
      failure = error
    }
    // As a run does: what is finished must not be lost.
    do { try await writer.publish() } catch { failure = failure ?? error }
    if let failure { throw StoreFailure(failure) }
  }

  /// The store of a state folder that has been prepared.
  private enum FileStoreFolder {
    static func of(_ state: StateFolder) -> FileStore {
      FileStore(
        existing: URL(fileURLWithPath: state.cache), temporaryFolder: URL(fileURLWithPath: state.temporary),
        calls: state.calls)
    }
  }

  @Test func everyFailureOfAGroupLeavesAnHonestCache() async throws {
    let counting = FileFaults()
    let sound = try TemporaryFolder()
    _ = try StateFolder(cache: sound.file("cache").path).prepare()
    try await write(StateFolder(cache: sound.file("cache").path, calls: counting.calls))
    #expect(Set(counting.log).isSuperset(of: [.open, .write, .setDates, .synchronize, .rename]))

    for number in counting.log.indices {
      for (code, expected) in Self.codes {
        for extent in FileFaults.Extent.allCases {
          let temporary = try TemporaryFolder()
          let cache = temporary.file("cache").path
          let plain = try StateFolder(cache: cache).prepare()
          let faults = FileFaults(failing: number, with: code, extent)
          let state = StateFolder(cache: cache, calls: faults.calls)
          let failure = await #expect(throws: StoreFailure.self) { try await write(state) }
          #expect(failure?.code == expected, "\(faults.log)")

          let visible = try plain.names()
          for name in visible { #expect(try plain.read(name) == file(name).bytes, "torn: \(faults.log)") }
          let rows = try LedgerReader(path: state.ledger).entries() ?? []
          #expect(Set(rows.map(\.file)).isSubset(of: visible), "\(faults.log)")
          for row in rows {
            let status = try CacheFileStatus(folder: cache, name: row.file)
            #expect(status?.size == row.size && status?.modified == row.modified)
          }
          try plain.removeAbandonedTemporaries()
          #expect(try plain.names(in: state.temporary).isEmpty, "\(faults.log)")
        }
      }
    }
  }

  @Test func whatOneRenameMeetsCostsOneFile() async throws {
    let counting = FileFaults()
    let sound = try TemporaryFolder()
    _ = try StateFolder(cache: sound.file("cache").path).prepare()
    try await write(StateFolder(cache: sound.file("cache").path, calls: counting.calls))
    let renames = counting.log.indices.filter { counting.log[$0] == .rename }
    #expect(renames.count == names.count)
    for (index, number) in renames.enumerated() {
      let temporary = try TemporaryFolder()
      let cache = temporary.file("cache").path
      let plain = try StateFolder(cache: cache).prepare()
      let state = StateFolder(cache: cache, calls: FileFaults(failing: number, with: EIO).calls)
      await #expect(throws: StoreFailure.self) { try await write(state) }
      var others = names
      others.remove(at: index)
      #expect(try plain.names().sorted() == others)
      #expect(try LedgerReader(path: state.ledger).entries()?.map(\.file) == others)
    }
  }

  @Test func aCacheThatCannotBePreparedIsToldBeforeAnythingIsFetched() throws {
    let counting = FileFaults()
    let sound = try TemporaryFolder()
    let state = StateFolder(cache: sound.file("cache").path, calls: counting.calls)
    _ = try state.prepare()
    _ = try RunLock(state, waits: false)
    for number in counting.log.indices {
      for (code, expected) in Self.codes {
        let temporary = try TemporaryFolder()
        let faults = FileFaults(failing: number, with: code, .lasting)
        let state = StateFolder(cache: temporary.file("cache").path, calls: faults.calls)
        let failure = #expect(throws: StoreFailure.self) {
          try StoreFailure.storing {
            _ = try state.prepare()
            _ = try RunLock(state, waits: false)
          }
        }
        #expect(failure?.code == expected && failure?.message.contains(temporary.path) == true)
      }
    }
  }
}
