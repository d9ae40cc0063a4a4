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

  private func victims(among entries: [FileEntry], sizeLimit: Int, trimRatio: Double) -> [String] {
    let rest = Int(Double(sizeLimit) * trimRatio)
    let oldest = entries.oldest(
      { ($0.accessDate, $0.name, $0.allocatedSize) }, where: { $0 > sizeLimit }, until: { $0 <= rest })
    return oldest.map(\.name)
  }

  @Test func nothingIsRemovedAtTheLimit() {
    let entries = [entry("a", 10, read: 1), entry("b", 10, read: 2)]
    #expect(victims(among: entries, sizeLimit: 20, trimRatio: 0.7).isEmpty)
  }

  @Test func aboveTheLimitTheLongestUnreadFilesGoUntilTheTargetIsMet() {
    let entries = [
      entry("new", 5, read: 4), entry("old", 5, read: 1), entry("newer", 5, read: 3),
      entry("mid", 5, read: 2),
    ]
    // 0.7 x 19 is 13.3, of which 13 counts: 15 are still too many.
    #expect(victims(among: entries, sizeLimit: 19, trimRatio: 0.7) == ["old", "mid"])
  }

  @Test func filesReadAtTheSameMomentGoByName() {
    let entries = ["d", "b", "a", "c"].map { entry($0, 10, read: 7) }
    #expect(victims(among: entries, sizeLimit: 39, trimRatio: 0.5) == ["a", "b", "c"])
  }

  @Test func whatTakesNoSpaceIsRemovedOnTheWayLikeTheRest() {
    let entries = [entry("empty", 0, read: 1), entry("full", 30, read: 2), entry("last", 1, read: 3)]
    #expect(victims(among: entries, sizeLimit: 10, trimRatio: 0.7) == ["empty", "full"])
  }
}
