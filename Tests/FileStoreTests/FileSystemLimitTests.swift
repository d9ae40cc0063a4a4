import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FileStore

/// File systems that do less than others, and folders that cannot be read to their end.
@Suite(.timeLimit(.minutes(5)))
struct FileSystemLimitTests {
  private let temporary: TemporaryFolder

  init() throws { temporary = try TemporaryFolder() }

  private func store(isPrivate: Bool = false, _ calls: FileCalls = .system) throws -> FileStore {
    try FileStore(
      folder: temporary.file("files"), temporaryFolder: temporary.file("temporaries"), isPrivate: isPrivate,
      calls: calls)
  }

  @Test func aListingThatBreaksOffIsNoEmptyFolder() throws {
    for name in ["a", "b", "c"] { try store().write(Data(name.utf8), as: name) }
    for number in 0..<6 {
      let faults = Counter()
      let failing = try store(
        FileCalls { call, _ in call == .list && faults.next() == number ? .fail(EIO) : .perform })
      let error = #expect(throws: FileStoreError.self) { try failing.names() }
      #expect(error == FileStoreError(.list, path: failing.path, reason: .inputOutput))
    }
    #expect(try store().names().sorted() == ["a", "b", "c"])
  }

  @Test(arguments: [ENOSYS, EOPNOTSUPP, EINVAL]) func withoutSyncfsEachFileIsSynchronised(code: Int32) throws
  {
    let counter = Counter()
    let store = try store(
      FileCalls { call, _ in
        if call == .synchronizeFile { _ = counter.next() }
        return call == .synchronize ? .fail(code) : .perform
      })
    let staged = try ["a", "b", "c"].map { try store.stage(Data($0.utf8), as: $0) }
    try store.synchronize { staged.map(\.temporaryPath) }
    for file in staged { try store.publish(file) }
    // And the folder.
    #expect(counter.count == 4)
  }

  @Test func aDeviceThatFailsIsNoLackOfACall() throws {
    for (call, code) in [(FileCalls.Call.synchronize, EIO), (.synchronizeFile, EIO)] {
      let store = try store(
        FileCalls { made, _ in
          if made == call { return .fail(code) }
          return made == .synchronize ? .fail(ENOSYS) : .perform
        })
      let staged = [try store.stage(Data("a".utf8), as: "a")]
      let error = #expect(throws: FileStoreError.self) {
        try store.synchronize { staged.map(\.temporaryPath) }
      }
      #expect(error?.reason == .inputOutput && error?.operation == .synchronize)
    }
  }

  @Test func aPrivateStoreIsForItsUserAlone() throws {
    func mode(_ name: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: temporary.file(name).path)[.posixPermissions] as? Int
    }
    try store().write(Data("a".utf8), as: "a")
    #expect(try mode("files") != 0o700 || mode("files/a") != 0o600)
    let store = try store(isPrivate: true)
    try store.write(Data("b".utf8), as: "b")
    try store.publish(try store.stage(Data("c".utf8), as: "c"))
    #expect(try mode("files") == 0o700 && mode("temporaries") == 0o700)
    #expect(try mode("files/b") == 0o600 && mode("files/c") == 0o600)
  }

  @Test func withoutLocksOnlyOldDraftsGo() throws {
    let store = try store(FileCalls { call, _ in call == .lock ? .fail(EOPNOTSUPP) : .perform })
    let names = ["young", "old"].map { ".preheat-tmp-\($0)" }
    for name in names { try Data("x".utf8).write(to: temporary.file("temporaries/" + name)) }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -3 * 86_400)],
      ofItemAtPath: temporary.file("temporaries/" + names[1]).path)
    try store.removeAbandonedTemporaries()
    #expect(try store.names(in: temporary.file("temporaries").path) == [names[0]])
  }
}

/// Counts calls.
private final class Counter: Sendable {
  private let value = Mutex(0)

  func next() -> Int {
    value.withLock {
      $0 += 1
      return $0 - 1
    }
  }

  var count: Int { value.withLock { $0 } }
}
