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
    #expect(files.entry(named: "a")?.accessDate == date)
    #expect(try files.read("a", updatingAccessDate: true) != nil)
    #expect(files.entry(named: "a")?.accessDate != date)
  }

  @Test func whatIsNotThereIsNoDescriptor() throws {
    let folder = try TemporaryFolder()
    #expect(FileStore.openForReading(folder.file("none").path, keepingAccessDate: true) < 0)
  }
}
