import Foundation
import TestSupport
import Testing
import Text

@testable import Fetching

@Suite(.timeLimit(.minutes(10)))
struct LocalSourceTests {
  @Test(
    arguments: [
      ("data:,abc", Array("abc".utf8)), ("data:image/png;base64,YWJj", Array("abc".utf8)),
      ("data:image/png; BASE64 ,YWJj", Array("abc".utf8)), ("DATA:;%20base64,YWJj", Array("abc".utf8)),
      ("data:;base64,YWI%3D", Array("ab".utf8)), ("data:image/svg+xml,%3Csvg%2F%3E", Array("<svg/>".utf8)),
      ("data:;BASE64,YWJj", Array("abc".utf8)), ("data:,", []), ("data:,%FF%00%fe", [255, 0, 254]),
      ("data:abc", nil), ("data:;base64,%%%", nil), ("data:,%4", nil), ("data:,%zz", nil),
    ] as [(String, [UInt8]?)])
  func dataURLsAreDecoded(url: String, bytes: [UInt8]?) throws {
    guard let bytes else {
      #expect(throws: RunFailure.self) { try DataURL.decode(url, maxBytes: 100) }
      return
    }
    #expect(try DataURL.decode(url, maxBytes: 100) == bytes)
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
    #expect(LocalFile.status(url: file.absoluteString)?.size == 3)
    #expect(try LocalFile.read(url: file.absoluteString, maxBytes: 3).bytes == [1, 2, 3])
    #expect(throws: RunFailure.self) { try LocalFile.read(url: file.absoluteString, maxBytes: 2) }
    #expect(LocalFile.status(url: "file:///no/such/picture.jpg") == nil)
    // A FIFO is refused at once.
    #expect(mkfifo(folder.file("pipe").path, 0o600) == 0)
    #expect(throws: RunFailure.self) {
      try LocalFile.read(url: "file://" + folder.file("pipe").path, maxBytes: 10)
    }
  }

  @Test func aMissingFileIsNamed() {
    #expect {
      try LocalFile.read(url: "file:///no/such/picture.jpg", maxBytes: 10)
    } throws: { error in
      (error as? RunFailure)?.code == "file.missing"
        && (error as? RunFailure)?.message.contains("/no/such/picture.jpg") == true
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
