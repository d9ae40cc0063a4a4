import Foundation
import TestSupport
import Testing

@testable import FileStore

@Suite(.timeLimit(.minutes(10)))
struct FileStoreDateTests {
  let temporary: TemporaryFolder
  let store: FileStore

  init() throws {
    temporary = try TemporaryFolder()
    store = try FileStore(folder: temporary.url)
  }

  /// A whole second was written by a cache library; any other date is a stranger's.
  @Test func anAccessDateIsTheLastUseWhereItIsAWholeSecond() throws {
    let before = Date().addingTimeInterval(-2)
    let past = Date(timeIntervalSince1970: 1_000_000_000)
    try store.write(Data("a".utf8), as: "a", dates: FileDates(access: past))
    #expect(try store.entry(named: "a")?.lastUse == past)
    try store.setDates(FileDates(access: past.addingTimeInterval(0.5)), of: "a")
    let changed = try #require(try store.entry(named: "a")).lastUse
    #expect(changed > before && changed < Date().addingTimeInterval(2))
  }

  @Test func aReadThatKeepsTheAccessDateKeepsIt() throws {
    let access = Date(timeIntervalSince1970: 1_000_000_000)
    // A modification date after it makes Linux renew the access date at an ordinary read.
    try store.write(Data("a".utf8), as: "a", dates: FileDates(access: access, modification: .distantFuture))
    #expect(try store.read("a", keepingAccessDate: true) == Data("a".utf8))
    #expect(try store.entry(named: "a")?.accessDate == access)
  }
}

@Suite(.timeLimit(.minutes(10)))
struct CacheFileStatusTests {
  /// 64 bits of nanoseconds end in April 2262.
  @Test(arguments: [2025, 2261, 2263, 2400])
  func datesOfAnyYearAreHeld(year: Int) throws {
    let temporary = try TemporaryFolder()
    let store = try FileStore(folder: temporary.url)
    let date = Date(timeIntervalSince1970: Double(year - 1970) * 31_556_952)
    try store.write(Data([1]), as: "a", dates: FileDates(modification: date))
    // a file system of fewer bits
    guard try store.entry(named: "a")?.modificationDate == date else { return }
    let modified = try #require(try CacheFileStatus(folder: temporary.path, name: "a")).modified
    #expect(modified == (year < 2262 ? Int64(date.timeIntervalSince1970) * 1_000_000_000 : .max))
  }

  @Test func aStatusIsThatOfPlainFilesAlone() throws {
    let temporary = try TemporaryFolder()
    let store = try FileStore(folder: temporary.file("f"))
    try store.write(Data([1, 2]), as: "a")
    try FileManager.default.createDirectory(
      at: temporary.file("f/folder"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: temporary.file("f/link").path, withDestinationPath: "a")
    #expect(try CacheFileStatus(folder: store.path, name: "a")?.size == 2)
    for name in ["folder", "link", "b", "", ".."] {
      #expect(try CacheFileStatus(folder: store.path, name: name) == nil)
    }
    #expect(try store.entries().map(\.isRegularFile) == [true, false, false])
    #expect(try store.entries().map(\.name) == ["a", "folder", "link"])
  }

  @Test(arguments: [
    (0, 5, 5), (-1, 999_999_999, -1), (9_223_372_036, 854_775_807, Int64.max),
    (9_223_372_036, 854_775_808, .max),
    (.max, 0, .max), (.min, 0, .min), (-9_223_372_037, 0, .min),
  ])
  func nanosecondsStayWithin64Bits(seconds: Int, nanoseconds: Int, expected: Int64) {
    #expect(timespec(tv_sec: seconds, tv_nsec: nanoseconds).nanoseconds == expected)
  }
}
