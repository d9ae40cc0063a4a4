import Concurrency
import Foundation
import TestSupport
import Testing

@testable import CacheStore
@testable import FileStore
@testable import Planning

@Suite(.timeLimit(.minutes(10)))
struct CacheWriterTests {
  private let temporary: TemporaryFolder
  private let state: StateFolder

  init() throws {
    temporary = try TemporaryFolder()
    state = StateFolder(cache: temporary.file("cache").path)
  }

  private func writer(
    maxFiles: Int = 512, maxAge: Duration = .seconds(600),
    settle: @escaping @Sendable ([String]) -> Void = { _ in }
  ) throws -> CacheWriter<String> {
    CacheWriter(
      files: try state.prepare(), ledger: try LedgerWriter(path: state.ledger), maxFiles: maxFiles,
      maxAge: maxAge
    ) { outcomes, _, _ in settle(outcomes) }
  }

  private func file(_ name: String) -> FinishedFile {
    FinishedFile(bytes: Data([1]), entry: LedgerScene.entry(name, size: 1))
  }

  private func names(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  private func rows() throws -> [String] {
    try LedgerReader(path: state.ledger).entries()?.map(\.file) ?? []
  }

  @Test func aFullGroupPublishesItself() async throws {
    let writer = try writer(maxFiles: 2)
    try await writer.stage([file("aa")], outcomes: [])
    #expect(try names(state.cache).isEmpty)
    try await writer.stage([file("bb")], outcomes: [])
    #expect(try names(state.cache) == ["aa", "bb"])
  }

  /// One server hangs, so that nothing more is staged.
  @Test func aGroupThatHasWaitedPublishesItself() async throws {
    let (published, news) = AsyncStream.makeStream(of: Int.self)
    let writer = try writer(maxAge: .milliseconds(5)) { news.yield($0.count) }
    try await writer.stage([file("aa")], outcomes: ["one", "two"])
    var waiting = published.makeAsyncIterator()
    #expect(await waiting.next() == 2)
    #expect(try names(state.cache) == ["aa"])
    #expect(try rows() == ["aa"])
    // The next group gets a time of its own.
    try await writer.stage([file("bb")], outcomes: ["three"])
    #expect(await waiting.next() == 1)
    #expect(try names(state.cache) == ["aa", "bb"])
  }

  @Test func whatTheTimerMeetsIsThrownByTheNextCall() async throws {
    try FileManager.default.createDirectory(
      at: temporary.file("cache/aa/inner"), withIntermediateDirectories: true)
    let settled = Locked(0)
    let writer = try writer(maxAge: .zero) { outcomes in settled.withLock { $0 += outcomes.count } }
    try await writer.stage([file("aa")], outcomes: ["three"])
    while try !names(state.temporary).isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    await #expect(throws: FileStoreError.self) { try await writer.stage([file("bb")], outcomes: ["three"]) }
    // It was told; it does not come again.
    try await writer.publish()
    #expect(settled.withLock { $0 } == 0)
  }

  @Test func outcomesAreSettledOnceTheirFilesAreInPlace() async throws {
    let cache = state.cache
    let seen = Locked<[[String]]>([])
    let writer = try writer { _ in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: cache)) ?? []
      seen.withLock { $0.append(names) }
    }
    try await writer.stage([file("aa")], outcomes: ["three"])
    #expect(seen.withLock { $0 }.isEmpty)
    try await writer.publish()
    try await writer.publish()
    #expect(seen.withLock { $0 } == [["aa"]])
  }

  @Test func aPlantedLinkIsReplacedNotFollowed() async throws {
    let writer = try writer()
    let outside = temporary.file("outside")
    try Data([9]).write(to: outside)
    try FileManager.default.createSymbolicLink(
      at: temporary.file("cache/aa"), withDestinationURL: outside)
    try await writer.stage([file("aa")], outcomes: [])
    try await writer.publish()
    #expect(try [UInt8](Data(contentsOf: outside)) == [9])
    #expect(try [UInt8](Data(contentsOf: temporary.file("cache/aa"))) == [1])
  }

  @Test func aFolderInTheWayIsAFailureThatNamesThePath() async throws {
    let writer = try writer()
    try FileManager.default.createDirectory(
      at: temporary.file("cache/aa/inner"), withIntermediateDirectories: true)
    try await writer.stage([file("aa")], outcomes: [])
    await #expect {
      try await writer.publish()
    } throws: { error in
      StoreFailure(error).message.contains("/cache/aa")
    }
  }

  @Test func whatOneFileMeetsKeepsNoOtherFromItsPlace() async throws {
    let writer = try writer()
    try FileManager.default.createDirectory(
      at: temporary.file("cache/bb"), withIntermediateDirectories: false)
    try await writer.stage(["aa", "bb", "cc"].map(file), outcomes: [])
    await #expect(throws: FileStoreError.self) { try await writer.publish() }
    #expect(try names(state.temporary).isEmpty)
    #expect(try rows() == ["aa", "cc"])
    // The failure was told; it does not come again.
    try await writer.publish()
  }

  @Test func aCacheFolderThatVanishesIsMadeAgain() async throws {
    let writer = try writer()
    try await writer.stage([file("aa")], outcomes: [])
    try FileManager.default.removeItem(at: temporary.file("cache"))
    try await writer.publish()
    #expect(try [UInt8](Data(contentsOf: temporary.file("cache/aa"))) == [1])
  }
}
