import Foundation
import TestSupport
import Testing
import Text

@testable import Fetching

@Suite(.timeLimit(.minutes(10)))
struct LocalSourceTests {
  @Test(arguments: [
    ("data:,abc", "abc"), ("data:image/png;base64,YWJj", "abc"), ("data:;base64,YWI%3D", "ab"),
    ("data:image/svg+xml,%3Csvg%2F%3E", "<svg/>"), ("data:;BASE64,YWJj", "abc"), ("data:,", ""),
  ])
  func dataURLsAreDecoded(url: String, text: String) throws {
    #expect(try DataURL.decode(url, maxBytes: 100) == Array(text.utf8))
  }

  @Test func dataURLsMayHoldAnyByte() throws {
    #expect(try DataURL.decode("data:,%FF%00%fe", maxBytes: 100) == [255, 0, 254])
  }

  @Test(arguments: ["data:abc", "data:;base64,%%%", "data:,%4", "data:,%zz"])
  func damagedDataURLsFail(url: String) {
    #expect(throws: RunFailure.self) { try DataURL.decode(url, maxBytes: 100) }
  }

  @Test func dataURLsBeyondTheLimitFail() throws {
    let url = "data:;base64," + String(repeating: "YWJj", count: 1000)
    for limit in [10, 1000, 2999] {
      #expect(throws: RunFailure.self) { try DataURL.decode(url, maxBytes: limit) }
      #expect(throws: RunFailure.self) {
        try DataURL.decode("data:," + String(repeating: "a", count: 3000), maxBytes: limit)
      }
    }
    #expect(try DataURL.decode(url, maxBytes: 3000).count == 3000)
    #expect(
      try DataURL.decode("data:," + String(repeating: "%61", count: 3000), maxBytes: 3000).count == 3000)
  }

  @Test func filesAreReadThroughTheirURL() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("a b ü.png")
    try Data([1, 2, 3]).write(to: file)
    #expect(try LocalFile.read(url: file.absoluteString, maxBytes: 10).bytes == [1, 2, 3])
  }

  @Test func aFilesSizeIsKnownBeforeItIsRead() throws {
    let folder = try TemporaryFolder()
    try Data(count: 12).write(to: folder.file("a b.jpg"))
    #expect(LocalFile.status(url: folder.file("a b.jpg").absoluteString)?.size == 12)
    #expect(LocalFile.status(url: "file:///no/such/picture.jpg") == nil)
  }

  @Test func aFIFOIsRefusedAtOnce() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("pipe").path
    #expect(mkfifo(path, 0o600) == 0)
    #expect(throws: RunFailure.self) { try LocalFile.read(url: "file://" + path, maxBytes: 10) }
  }

  @Test func aMissingFileIsNamed() {
    #expect {
      try LocalFile.read(url: "file:///no/such/picture.jpg", maxBytes: 10)
    } throws: { error in
      (error as? RunFailure)?.code == "file.missing"
        && (error as? RunFailure)?.message.contains("/no/such/picture.jpg") == true
    }
  }

  @Test func aFileBeyondTheLimitIsRefused() throws {
    let folder = try TemporaryFolder()
    try Data(count: 11).write(to: folder.file("a"))
    #expect(throws: RunFailure.self) {
      try LocalFile.read(url: folder.file("a").absoluteString, maxBytes: 10)
    }
  }

  @Test func theBudgetHoldsBackWhoeverComesTooMuch() async {
    let budget = ByteBudget(bytes: 10)
    await budget.take(6)
    let second = Task { await budget.take(6) }
    try? await Task.sleep(for: .milliseconds(20))
    budget.correct(from: 6, to: 4)
    await second.value
    budget.give(4)
    budget.give(6)
    await budget.take(100)
    budget.give(10)
  }
}
