import Foundation
import TestSupport
import Testing

@testable import CacheStore
@testable import Digests
@testable import FileStore

/// A power cut loses what was not synchronised: any part of it. What the ledger says is right all the same, or is found out
/// by the look at the file that every run begins with.
@Suite(.timeLimit(.minutes(FaultCount.minutes)))
struct PowerCutTests {
  private static let names = ["aa", "bb", "cc", "dd"]
  private static let seeds = FaultCount.of(2, full: 20)

  private static func bytes(_ name: String, _ edition: String) -> Data {
    Data(repeating: UInt8(ascii: "p"), count: 3000) + Data("\(name) \(edition)".utf8)
  }

  private static func file(_ name: String, _ edition: String) -> FinishedFile {
    let bytes = bytes(name, edition)
    var entry = LedgerScene.entry(name, size: bytes.count)
    entry.digest = hexadecimal(SHA256.hash(bytes))
    return FinishedFile(bytes: bytes, entry: entry)
  }

  /// What a run does: a group for every two files.
  private static func write(
    _ edition: String, in root: URL, names: [String] = names, calls: FileCalls = .system,
    keepOpen: (LedgerWriter) -> Void = { _ in }
  ) async throws {
    let state = StateFolder(cache: root.appendingPathComponent("cache").path, calls: calls)
    let files = try state.prepare()
    let lock = try RunLock(state, waits: false)
    try state.removeLeftovers(of: files)
    let ledger = try LedgerWriter(path: state.ledger, calls: calls)
    keepOpen(ledger)
    let writer = CacheWriter<String>(files: files, ledger: ledger, maxFiles: 2, maxAge: .seconds(600)) {
      _, _, _ in
    }
    for name in names { try await writer.stage([file(name, edition)], outcomes: [name]) }
    try await writer.publish()
    _ = consume lock
  }

  @Test func noPowerCutLeavesAFalseRowOrATornFile() async throws {
    let temporary = try TemporaryFolder()
    let root = temporary.file("disk")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    try await Self.write("old", in: root)
    let log = try WriteLog(root: root)
    // A database that is closed is synchronised by SQLite itself.
    var ledgers: [LedgerWriter] = []
    try await Self.write("new", in: root, calls: log.calls) { ledgers.append($0) }
    let played = try await log.playPowerCuts(seeds: Self.seeds) { root, survival, moment in
      try await Self.check(root, survival, moment)
    }
    #expect(played >= FaultCount.of(50, full: 200))
    withExtendedLifetime(ledgers) {}
  }

  private static func check(_ root: URL, _ survival: WriteLog.Survival, _ moment: String) async throws {
    let cache = root.appendingPathComponent("cache")
    let state = StateFolder(cache: cache.path)
    let visible = try FileManager.default.contentsOfDirectory(atPath: cache.path)
    for name in visible {
      let found = try Data(contentsOf: cache.appendingPathComponent(name))
      #expect(["old", "new"].contains { found == bytes(name, $0) }, "\(moment): \(name) is torn")
    }
    let rows = try #require(try LedgerReader(path: state.ledger).entries(), "\(moment)")
    #expect(rows.map(\.file) == names, "\(moment)")
    var current: Set<String> = []
    for row in rows {
      let status = try CacheFileStatus(folder: cache.path, name: row.file)
      let isUntouched = status?.size == row.size && status?.modified == row.modified
      // In the order of the writes nothing can be lost that a later one needs.
      if survival == .nothing || survival == .everything {
        #expect(status != nil, "\(moment): \(row.file) is not there")
      }
      guard isUntouched else { continue }
      let found = try Data(contentsOf: cache.appendingPathComponent(row.file))
      #expect(hexadecimal(SHA256.hash(found)) == row.digest, "\(moment): \(row.file) is believed")
      if found == bytes(row.file, "new") { current.insert(row.file) }
    }
    // The next run makes what it does not believe.
    try await write("new", in: root, names: names.filter { !current.contains($0) })
    for name in names {
      let found = try Data(contentsOf: cache.appendingPathComponent(name))
      #expect(found == bytes(name, "new"), "\(moment)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: state.temporary).isEmpty, "\(moment)")
  }
}
