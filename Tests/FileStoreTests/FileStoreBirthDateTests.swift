import Foundation
import TestSupport
import Testing

@testable import FileStore

@Suite(.timeLimit(.minutes(10)))
struct FileStoreBirthDateTests {
  let temporary: TemporaryFolder
  let store: FileStore

  init() throws {
    temporary = try TemporaryFolder()
    store = try FileStore(folder: temporary.url)
  }

  @Test func theDateOfBirthStaysWhenTheOtherDatesAreSet() throws {
    let before = Date().addingTimeInterval(-2)
    try store.write(Data("a".utf8), as: "a")
    let birth = try #require(store.birthDate(of: "a"), "this file system does not remember")
    #expect(birth > before && birth < Date().addingTimeInterval(2))
    let past = Date(timeIntervalSince1970: 1_000_000_000)
    try store.setDates(FileDates(access: past, modification: past), of: "a")
    #expect(store.birthDate(of: "a") == birth)
  }

  @Test(arguments: ["missing", "", "..", "a/b"])
  func whatIsNotThereHasNone(name: String) throws {
    #expect(store.birthDate(of: name) == nil)
  }

  @Test func aReadThatKeepsTheAccessDateKeepsIt() throws {
    let access = Date(timeIntervalSince1970: 1_000_000_000)
    // A modification date after it makes Linux renew the access date at an ordinary read.
    try store.write(Data("a".utf8), as: "a", dates: FileDates(access: access, modification: .distantFuture))
    #expect(try store.read("a", keepingAccessDate: true) == Data("a".utf8))
    #expect(store.entry(named: "a")?.accessDate == access)
  }
}
