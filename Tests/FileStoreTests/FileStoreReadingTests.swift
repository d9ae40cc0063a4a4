import Foundation
import TestSupport
import Testing

@testable import FileStore

@Suite(.timeLimit(.minutes(10)))
struct FileStoreReadingTests {
  /// On a file system that keeps access dates, a reader that asks for it leaves them; elsewhere nobody moves them.
  @Test func whoOnlyLooksMovesNoAccessDate() throws {
    let folder = try TemporaryFolder()
    let files = try FileStore(folder: folder.url)
    let date = Date(timeIntervalSince1970: 1_000_000)
    try files.write(Data("picture".utf8), as: "a", dates: FileDates(access: date))
    #expect(try files.read("a", keepingAccessDate: true) == Data("picture".utf8))
    #expect(try files.entry(named: "a")?.accessDate == date)
    #expect(try files.read("a", updatingAccessDate: true) != nil)
    #expect(try files.entry(named: "a")?.accessDate != date)
  }

  @Test func whatIsNotThereIsNoDescriptor() throws {
    let folder = try TemporaryFolder()
    #expect(FileStore.openForReading(folder.file("none").path, keepingAccessDate: true) < 0)
  }

  @Test func aListingSaysOfEachFileWhatALookAtItSays() throws {
    let folder = try TemporaryFolder()
    let files = try FileStore(folder: folder.url)
    for (name, size) in [("b", 3), ("a", 0), ("\u{e9}", 1), ("e\u{301}", 2), (".hidden", 1)] {
      try files.write(
        Data(repeating: 1, count: size), as: name,
        dates: FileDates(modification: Date(timeIntervalSince1970: 1_700_000_000.123456789 + Double(size))))
    }
    try FileManager.default.createDirectory(at: folder.file("folder"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link").path, withDestinationPath: folder.file("a").path)
    let listing = try files.listing()
    #expect(try listing.entries == files.entries())
    for name in ["a", "b", "\u{e9}", "folder", "link", "none", ""] {
      #expect(try listing[name] == CacheFileStatus(folder: folder.url.path, name: name), "\(name)")
    }
    #expect(listing["a"]?.size == 0)
  }

  /// Dates beyond what nanoseconds in 64 bits can say come from bundles that anybody may have made.
  @Test(arguments: [Date.distantPast, .distantFuture, Date(timeIntervalSince1970: .infinity)])
  func aDateFarAwayIsNoTrap(date: Date) {
    let entry = FileEntry(name: "a", size: 1, allocatedSize: 1, accessDate: date, modificationDate: date)
    #expect(FolderListing([entry])["a"]?.modified == (date < Date() ? .min : .max))
  }
}
