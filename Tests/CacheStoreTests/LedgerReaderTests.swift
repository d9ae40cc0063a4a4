import Foundation
import TestSupport
import Testing

@testable import CacheStore

@Suite(.timeLimit(.minutes(10)))
struct LedgerReaderTests {
  private let scene: LedgerScene

  init() throws {
    scene = try LedgerScene()
  }

  @Test(arguments: LedgerScene.Kind.allCases)
  func aReaderChangesNothing(kind: LedgerScene.Kind) throws {
    try scene.make(kind)
    let before = try FolderSnapshot(scene.folder)
    _ = try? scene.reader.entries()
    _ = try? scene.reader.check()
    #expect(try FolderSnapshot(scene.folder) == before)
  }

  @Test(arguments: LedgerScene.Kind.allCases)
  func ledgersOfThisFormAndEarlierOnesAreReadAndNoOthers(kind: LedgerScene.Kind) throws {
    try scene.make(kind)
    let rows = try? scene.reader.entries()
    #expect(rows == LedgerScene.rows(kind))
  }

  @Test(arguments: [LedgerScene.Kind.current, .killed, .killedWithIndex])
  func aFolderThatCannotBeWrittenIsRead(kind: LedgerScene.Kind) throws {
    try scene.make(kind)
    let manager = FileManager.default
    for name in try manager.contentsOfDirectory(atPath: scene.folder.path) {
      try manager.setAttributes([.posixPermissions: 0o444], ofItemAtPath: scene.folder.path + "/" + name)
    }
    try manager.setAttributes([.posixPermissions: 0o555], ofItemAtPath: scene.folder.path)
    defer { try? manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: scene.folder.path) }
    #expect(try scene.reader.entries() == LedgerScene.rows(kind))
  }

  @Test func rowsAreSeenWhileARunWritesThem() throws {
    try scene.make(.missing)
    let writer = try LedgerWriter(path: scene.path)
    for number in 0..<20 {
      try writer.record([scene.entry("file \(number)")])
      let before = try FolderSnapshot(scene.folder)
      #expect(try scene.reader.entries()?.count == number + 1)
      #expect(try FolderSnapshot(scene.folder) == before)
    }
  }

  @Test func aReaderIsNotDisturbedByWritersThatComeAndGo() async throws {
    try scene.make(.current)
    let (path, reader) = (scene.path, scene.reader)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for number in 0..<30 { try LedgerWriter(path: path).record([LedgerScene.entry("file \(number)")]) }
      }
      group.addTask {
        for _ in 0..<30 {
          let rows = try reader.entries()
          #expect(rows?.first == LedgerScene.entry("aa"))
        }
      }
      try await group.waitForAll()
    }
    #expect(try reader.entries()?.count == 32)
  }

  @Test func aLaterFormIsNamedWithTheOneThatIsKnown() throws {
    try scene.make(.newer)
    let failure = #expect(throws: LedgerFailure.self) { try scene.reader.entries() }
    #expect(failure?.reason == .newer && failure?.isDamage == false)
    #expect(failure?.fact == "the ledger \(scene.path) has form 99, and this release uses form 6")
  }

  @Test(arguments: [LedgerScene.Kind.garbage, .truncated, .foreign, .endless, .olderEndless])
  func whatIsNoLedgerIsDamage(kind: LedgerScene.Kind) throws {
    try scene.make(kind)
    let failure = #expect(throws: LedgerFailure.self) { try scene.reader.entries() }
    #expect(failure?.isDamage == true, "\(String(describing: failure))")
  }

  @Test func aFolderInTheLedgersPlaceIsNotReadAsOne() throws {
    try FileManager.default.createDirectory(atPath: scene.path, withIntermediateDirectories: true)
    let failure = #expect(throws: LedgerFailure.self) { try scene.reader.entries() }
    #expect(failure?.isDamage == false)
  }

  @Test func namesThatUrisGiveAMeaningToArePlainNames() throws {
    let path = scene.temporary.file("a b%20?mode=rw#ü.sqlite").path
    try LedgerWriter(path: path).record([scene.entry("aa")])
    #expect(try LedgerReader(path: path).entries()?.map(\.file) == ["aa"])
  }
}
