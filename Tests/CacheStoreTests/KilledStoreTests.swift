import Foundation
import TestSupport
import Testing

@testable import CacheStore
@testable import Digests
@testable import FileStore

/// What a run stores, when it is killed at any of its calls: whole files, no false row, and the next run completes it.
@Suite(.timeLimit(.minutes(10)))
struct KilledStoreTests {
  private static let names = ["aa", "bb", "cc"]

  private static func bytes(_ name: String, _ edition: String) -> Data {
    Data(repeating: 7, count: 3000) + Data("\(name) \(edition)".utf8)
  }

  private static func write(_ edition: String, _ cache: String, calls: FileCalls = .system) async throws {
    let state = StateFolder(cache: cache, calls: calls)
    let files = try state.prepare()
    let lock = try RunLock(state, waits: false)
    try state.removeLeftovers(of: files)
    let ledger = try LedgerWriter(path: state.ledger, calls: calls)
    let writer = CacheWriter<String>(files: files, ledger: ledger, maxFiles: 2, maxAge: .seconds(600)) {
      _, _, _ in
    }
    for name in names {
      let bytes = bytes(name, edition)
      var entry = LedgerScene.entry(name, size: bytes.count)
      entry.digest = hexadecimal(SHA256.hash(bytes))
      try await writer.stage([FinishedFile(bytes: bytes, entry: entry)], outcomes: [name])
    }
    try await writer.publish()
    _ = consume lock
  }

  private struct Cache {
    let temporary: TemporaryFolder
    var path: String { temporary.file("cache").path }
  }

  @Test(arguments: [true, false])
  func aStoreKilledAnywhereIsCompletedByTheNext(isNew: Bool) async throws {
    let old = try TemporaryFolder()
    if !isNew {
      try await Self.write("old", old.file("cache").path)
      // The writer, and with it the ledger, is closed once its last task has ended; a copy must not begin before that.
      let index = StateFolder(cache: old.file("cache").path).ledger + "-wal"
      for _ in 0..<1000 where FileManager.default.fileExists(atPath: index) {
        try await Task.sleep(for: .milliseconds(10))
      }
    }
    let calls = try await KilledWork.atEachCall(
      of: {
        let temporary = try TemporaryFolder()
        for name in try FileManager.default.contentsOfDirectory(atPath: old.path) {
          try FileManager.default.copyItem(at: old.file(name), to: temporary.file(name))
        }
        return Cache(temporary: temporary)
      },
      { cache, calls in try await Self.write("new", cache.path, calls: calls) },
      then: { cache, moment in
        let names = (try? FileManager.default.contentsOfDirectory(atPath: cache.path)) ?? []
        for name in names {
          let found = try Data(contentsOf: cache.temporary.file("cache/\(name)"))
          #expect(["old", "new"].contains { found == Self.bytes(name, $0) }, "\(moment): \(name)")
        }
        let state = StateFolder(cache: cache.path)
        for row in try LedgerReader(path: state.ledger).entries() ?? [] {
          #expect(names.contains(row.file), "\(moment): \(row.file) is not there")
        }
        try await Self.write("new", cache.path)
        for row in try #require(try LedgerReader(path: state.ledger).entries()) {
          let found = try Data(contentsOf: cache.temporary.file("cache/\(row.file)"))
          #expect(found == Self.bytes(row.file, "new"), "\(moment)")
          #expect(hexadecimal(SHA256.hash(found)) == row.digest, "\(moment)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: state.temporary).isEmpty, "\(moment)")
      })
    #expect(Set(calls).isSuperset(of: [.open, .write, .synchronize, .rename, .commit, .access]))
  }
}
