import Foundation
import Testing

@testable import FileStore

@Suite(.timeLimit(.minutes(10)))
struct FileStoreSweepTests {
  private func entry(_ name: String, _ allocated: Int, read seconds: TimeInterval) -> FileEntry {
    FileEntry(
      name: name, size: 1, allocatedSize: allocated, accessDate: Date(timeIntervalSince1970: seconds),
      modificationDate: Date())
  }

  @Test func nothingIsRemovedAtTheLimit() {
    let sweep = SizeSweep(sizeLimit: 20, trimRatio: 0.7)
    #expect(sweep.victims(among: [entry("a", 10, read: 1), entry("b", 10, read: 2)]).isEmpty)
  }

  @Test func aboveTheLimitTheLongestUnreadFilesGoUntilTheTargetIsMet() {
    let entries = [
      entry("new", 5, read: 4), entry("old", 5, read: 1), entry("newer", 5, read: 3),
      entry("mid", 5, read: 2),
    ]
    let sweep = SizeSweep(sizeLimit: 19, trimRatio: 0.7)
    // 0.7 x 19 is 13.3, of which 13 counts: 15 are still too many.
    #expect(sweep.victims(among: entries).map(\.name) == ["old", "mid"])
  }

  @Test func filesReadAtTheSameMomentGoByName() {
    let entries = ["d", "b", "a", "c"].map { entry($0, 10, read: 7) }
    #expect(
      SizeSweep(sizeLimit: 39, trimRatio: 0.5).victims(among: entries).map(\.name) == ["a", "b", "c"])
  }

  @Test func whatTakesNoSpaceIsRemovedOnTheWayLikeTheRest() {
    let entries = [entry("empty", 0, read: 1), entry("full", 30, read: 2), entry("last", 1, read: 3)]
    #expect(
      SizeSweep(sizeLimit: 10, trimRatio: 0.7).victims(among: entries).map(\.name) == ["empty", "full"])
  }
}
