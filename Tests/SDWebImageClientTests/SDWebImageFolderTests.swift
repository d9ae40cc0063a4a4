import ClientKit
import FileStore
import Foundation
import SDWebImageCache
import TestSupport
import Testing

@testable import ClientRegistry

/// Names, dates and the app's clean-up.
@Suite("SDWebImage's folder", .timeLimit(.minutes(10)))
struct SDWebImageFolderTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)
  private let day = 86_400.0

  private func entry(_ name: String, age days: Double, size: Int = 4096, byAccess: Bool = true) -> FileEntry {
    let (old, date) = (now.addingTimeInterval(-300 * day), now.addingTimeInterval(-days * day))
    return FileEntry(
      name: name, size: size, allocatedSize: size, accessDate: byAccess ? date : old,
      modificationDate: byAccess ? old : date)
  }

  @Test func namesHaveADigestAndPerhapsAnExtension() {
    let client = SDWebImageClient(version: .latest)
    let digest = String(repeating: "a", count: 32)
    for name in [digest, digest + ".png", digest + ".000000},0)", digest + ".b c"] {
      #expect(client.isName(name, ofKey: nil), "\(name)")
    }
    for name in [digest + "a", digest + ".", String(digest.dropLast()), digest.uppercased(), "a." + digest] {
      #expect(!client.isName(name, ofKey: nil), "\(name)")
    }
    let own = client.fileNames(forKey: "https://e.com/1.png")[0]
    #expect(client.isName(own, ofKey: "https://e.com/1.png"))
    #expect(client.isName(String(own.prefix(32)), ofKey: "https://e.com/1.png"), "readers try it, too")
    #expect(!client.isName(own.prefix(32) + ".jpg", ofKey: "https://e.com/1.png"))
    #expect(client.names(ofKey: "https://e.com/1.png").fallbacks == [String(own.prefix(32))])
    #expect(client.names(ofKey: "https://e.com/1").fallbacks.isEmpty)
  }

  @Test(arguments: [("5.21.5", true), ("5.20.0", true), ("5.19.7", false), ("5.0.0", false)])
  func whatIsOlderThanAWeekGoes(version: String, byAccess: Bool) throws {
    let client = SDWebImageClient(version: try SDWebImageVersion(parsing: version))
    let files = [("new", 6.9), ("edge", 7.0), ("old", 8), ("ahead", -30)].map {
      SweptFile(entry: entry($0.0, age: $0.1, byAccess: byAccess))
    }
    let victims = client.victims(among: files, sizeLimit: 0, now: now)
    #expect(Set(victims.map(\.file.path)) == ["edge", "old"])
    #expect(victims.allSatisfy { $0.reason == .expired })
  }

  @Test func beyondTheLimitTheOldestGoUntilLessThanHalfIsLeft() {
    let client = SDWebImageClient(version: .latest)
    let files = (0..<6).map { SweptFile(entry: entry("\($0)", age: Double($0), size: 100)) }
    #expect(
      client.victims(among: files, sizeLimit: 600, now: now).isEmpty, "the limit itself is not beyond it")
    let victims = client.victims(among: files, sizeLimit: 599, now: now)
    #expect(
      victims.map(\.file.path) == ["5", "4", "3", "2"], "200 bytes are less than half of 599, 300 are not")
    #expect(
      client.victims(among: files, sizeLimit: 400, now: now).map(\.file.path) == ["5", "4", "3", "2", "1"])
  }

  @Test(arguments: [("5.21.5", true), ("5.19.7", false)])
  func entriesAreDatedAheadTheMostUrgentLast(version: String, byAccess: Bool) throws {
    let client = SDWebImageClient(version: try SDWebImageVersion(parsing: version))
    let found = ["a", "b", "c"].map { entry($0, age: 100) }
    let finished = [("b", -1), ("a", 0), ("b", 1)].map {
      ($0, .encoded, nil, $1) as FinishedEntry
    }
    let run = RunDate(start: now)
    let upkeep = client.upkeep(found: FolderListing(found), at: run) { finished.forEach($0) }
    #expect(upkeep.dates.map(\.file) == ["b", "a"] && upkeep.stamp == nil)
    let dates = upkeep.dates.map { byAccess ? $0.dates.access : $0.dates.modification }
    let ahead = run.day.addingTimeInterval(30 * day)
    #expect(dates == [ahead, ahead.addingTimeInterval(-1)])
    #expect(upkeep.dates.allSatisfy { $0.dates.access == $0.dates.modification }, "for any release")
    // A week after that they are still there.
    let later = now.addingTimeInterval(30 * day)
    let swept = dates.compactMap { $0 }.enumerated().map { index, date in
      SweptFile(
        entry: FileEntry(
          name: "\(index)", size: 1, allocatedSize: 1, accessDate: date, modificationDate: date))
    }
    #expect(client.victims(among: swept, sizeLimit: 0, now: later).isEmpty)
  }

  @Test func subfoldersAreSwept() throws {
    let folder = try TemporaryFolder()
    let below = folder.file("out/sub")
    try FileManager.default.createDirectory(at: below, withIntermediateDirectories: true)
    try Data("x".utf8).write(to: below.appendingPathComponent("one"))
    let client = SDWebImageClient(version: .latest)
    let found = try client.folder.sweptFiles(in: try FileStore(folder: folder.file("out")), [])
    #expect(Set(found.map(\.path)) == ["sub", "sub/one"])
    let later = Date().addingTimeInterval(8 * day)
    #expect(client.victims(among: found, sizeLimit: 0, now: later).map(\.file.path) == ["sub/one"])
  }
}
