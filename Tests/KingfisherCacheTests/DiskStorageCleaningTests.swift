import Foundation
import TestSupport
import Testing

@testable import KingfisherCache

/// What a clean-up removes: what has expired, then what was used the longest ago down to half of the limit.
@Suite(.timeLimit(.minutes(10)))
struct DiskStorageCleaningTests {
  let kit: CacheKit

  init() throws { kit = try CacheKit() }

  private func store(_ keys: String..., bytes: Int = 100, secondsApart: TimeInterval = 10) throws {
    for key in keys {
      try kit.disk.store(value: Data(count: bytes), forKey: key)
      kit.clock.advance(by: secondsApart)
    }
  }

  private func left(_ keys: String...) -> [String] { keys.filter { kit.disk.isCached(forKey: $0) } }

  @Test func expiredFilesAreRemovedAndOthersAreNot() throws {
    try kit.disk.store(value: Data(count: 9), forKey: "short", expiration: .seconds(10))
    try store("long")
    let removed = try kit.disk.removeExpiredValues()
    #expect(removed.map(\.lastPathComponent) == [try kit.disk.cacheFileName(forKey: "short")])
    #expect(try kit.names.count == 1)
  }

  @Test func foreignFilesAreEntriesTooAndHiddenOnesAreNot() throws {
    let folder = kit.disk.directoryURL
    for name in ["manifest.json", ".hidden", "sub/deep.bin"] {
      let file = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(count: 10).write(to: file)
    }
    kit.clock.advance(by: 100 * 365 * 86_400)
    #expect(try kit.disk.totalSize() == 20)
    #expect(
      Set(try kit.disk.removeExpiredValues().map(\.lastPathComponent)) == ["manifest.json", "deep.bin"])
    #expect(try kit.names == [".hidden", "sub"])
  }

  @Test func underTheLimitNothingGoes() throws {
    try store("a", "b")
    #expect(try kit.disk.removeSizeExceededValues().isEmpty)
    kit.disk.config.sizeLimit = 201
    #expect(try kit.disk.removeSizeExceededValues().isEmpty)
  }

  @Test(arguments: [(400, ["c", "d"]), (399, ["d"]), (250, ["d"]), (199, [])])
  func atTheLimitHalfOfItIsLeft(limit: Int, expected: [String]) throws {
    try store("a", "b", "c", "d")
    kit.disk.config.sizeLimit = limit
    try kit.disk.removeSizeExceededValues()
    #expect(left("a", "b", "c", "d") == expected)
  }

  @Test func whatWasLoadedLastStays() throws {
    try store("a", "b", "c", "d")
    _ = try kit.disk.value(forKey: "a")
    kit.disk.config.sizeLimit = 400
    try kit.disk.removeSizeExceededValues()
    #expect(left("a", "b", "c", "d") == ["a", "d"])
  }

  @Test func amongFilesOfOneSecondNamesDecide() throws {
    try store("a", "b", "c", "d", secondsApart: 0)
    let names = try kit.names
    kit.disk.config.sizeLimit = 400
    let removed = try kit.disk.removeSizeExceededValues().map(\.lastPathComponent)
    #expect(removed == Array(names.prefix(2)))
  }

  @Test func aCleanUpRemovesWhatExpiredBeforeItCountsBytes() async throws {
    try kit.disk.store(value: Data(count: 300), forKey: "short", expiration: .seconds(5))
    try store("a", "b")
    kit.disk.config.sizeLimit = 400
    try await kit.cache.cleanExpiredDiskCache()
    #expect(left("short", "a", "b") == ["a", "b"])
  }

  @Test func aFolderThatIsGoneIsEmpty() throws {
    try FileManager.default.removeItem(at: kit.disk.directoryURL)
    #expect(try kit.disk.totalSize() == 0)
    #expect(try kit.disk.removeExpiredValues().isEmpty)
    try store("a")
    #expect(left("a") == ["a"])
  }
}
