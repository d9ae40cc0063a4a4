import Foundation
import TestSupport
import Testing

@testable import FileStore

/// Every call of a store fails once, or from then on.
@Suite(.timeLimit(.minutes(10)))
struct FileFaultTests {
  private static let reasons: [(Int32, FileStoreError.Reason)] = [
    (ENOSPC, .noSpace), (EDQUOT, .noSpace), (EIO, .inputOutput), (EROFS, .readOnly),
    (EMFILE, .tooManyOpenFiles),
  ]

  private let old = Data(repeating: 1, count: 3000)
  private let new = Data(repeating: 2, count: 5000)
  private let dates = FileDates(modification: Date(timeIntervalSince1970: 1_000_000_000))

  private func store(_ temporary: TemporaryFolder, _ calls: FileCalls = .system) throws -> FileStore {
    try FileStore(
      folder: temporary.file("files"), temporaryFolder: temporary.file("temporaries"), calls: calls)
  }

  private func count(_ body: (FileStore) throws -> Void) throws -> Int {
    let temporary = try TemporaryFolder()
    try store(temporary).write(old, as: "a")
    let faults = FileFaults()
    try body(
      FileStore(
        existing: temporary.file("files"), temporaryFolder: temporary.file("temporaries"), calls: faults.calls
      ))
    return faults.log.count
  }

  /// Lets each call of `body` fail in every way and looks at what is left.
  private func failAll(
    _ body: (FileStore) throws -> Void, check: (FileStore, FileFaults, FileStoreError?) throws -> Void
  ) throws {
    for number in 0..<(try count(body)) {
      for (code, reason) in Self.reasons {
        for extent in FileFaults.Extent.allCases {
          let temporary = try TemporaryFolder()
          let plain = try store(temporary)
          try plain.write(old, as: "a")
          let faults = FileFaults(failing: number, with: code, extent)
          var failure: FileStoreError?
          do {
            try body(
              FileStore(
                existing: plain.folder, temporaryFolder: plain.temporaryFolder, calls: faults.calls))
          } catch let error as FileStoreError {
            failure = error
          }
          if let failure { #expect(failure.reason == reason, "\(faults.log)") }
          try check(plain, faults, failure)
          try plain.removeAbandonedTemporaries()
          #expect(try plain.names(in: temporary.file("temporaries").path).isEmpty, "\(faults.log)")
        }
      }
    }
  }

  @Test func aWriteLeavesTheOldFileOrTheNewOne() throws {
    try failAll(
      { try $0.write(new, as: "a", dates: dates) },
      check: { store, faults, failure in
        let (bytes, names) = (try store.read("a"), try store.names())
        #expect(failure != nil && bytes == old && names == ["a"], "\(faults.log)")
      })
  }

  @Test func aGroupThatFailsLeavesWholeFilesAlone() throws {
    let names = ["a", "b", "c"]
    func body(_ store: FileStore) throws {
      let staged = try names.map { try store.stage(new, as: $0, dates: dates) }
      do {
        try store.synchronize()
        for file in staged { try store.publish(file) }
      } catch {
        for file in staged { store.discard(file) }
        throw error
      }
    }
    try failAll(body) { store, faults, failure in
      #expect(failure != nil)
      for name in try store.names() {
        let bytes = try store.read(name)
        #expect(bytes == new || (name == "a" && bytes == old), "\(name) after \(faults.log)")
      }
      #expect(store.contains("a"))
    }
  }

  @Test func aSignalAtAnyCallChangesNothing() throws {
    func body(_ store: FileStore) throws {
      try store.publish(try store.stage(new, as: "a", dates: dates))
      try store.setDates(dates, of: "a")
      try store.write(old, as: "b")
      try store.synchronize()
      try store.remove("b")
    }
    for number in 0..<(try count(body)) {
      let temporary = try TemporaryFolder()
      let faults = FileFaults(failing: number, with: EINTR)
      try body(try store(temporary, faults.calls))
      #expect(try store(temporary).read("a") == new)
      #expect(try store(temporary).names() == ["a"])
    }
  }

  @Test func foldersThatCannotBeMadeAreNamed() throws {
    for (code, reason) in Self.reasons {
      for number in 0..<2 {
        let temporary = try TemporaryFolder()
        let faults = FileFaults(failing: number, with: code)
        let failure = #expect(throws: FileStoreError.self) { try store(temporary, faults.calls) }
        #expect(failure?.operation == .createFolder && failure?.reason == reason)
        #expect(failure?.path == temporary.file(number == 0 ? "files" : "temporaries").path)
      }
    }
  }

  @Test func whatCannotBeRemovedStaysAndIsAFailure() throws {
    try failAll(
      { try $0.remove("a") },
      check: { store, _, failure in
        let bytes = try store.read("a")
        #expect(failure?.operation == .remove && bytes == old)
      })
  }

  @Test func datesThatCannotBeSetAreAFailure() throws {
    try failAll(
      { try $0.setDates(dates, of: "a") },
      check: { store, _, failure in
        #expect(failure?.operation == .setDates)
        let entry = try store.entry(named: "a")
        #expect(entry?.modificationDate != dates.modification)
      })
  }
}
