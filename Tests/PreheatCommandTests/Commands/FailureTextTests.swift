import Testing
import Text

@testable import Planning
@testable import PreheatCommand

/// What failed, in a few lines.
@Suite(.timeLimit(.minutes(10)))
struct FailureTextTests {
  private func told(_ count: Int, _ failure: (Int) -> RunFailure, place: String? = nil) throws -> String {
    var told = try RunTold(RunTold.lines(count))
    told.settle { .failed(failure($0)) }
    return RunText(record: told.record(), place: place).failures
  }

  @Test func aThousandTimesTheSameIsAFewLines() throws {
    let text = try told(1500) {
      RunFailure(
        step: .fetch, code: "fetch.status", message: "https://e.com/\($0): the server answered 404",
        cause: "HTTP 404 from e.com; check the URL")
    }
    let lines = text.split(separator: "\n")
    #expect(lines.count < 8, "\(text)")
    #expect(text.contains("1,500 × fetch: HTTP 404 from e.com; check the URL (fetch.status)"))
    #expect(text.contains("test.job:3  https://e.com/1.jpg  circle") && text.contains("and 1,497 more lines"))
  }

  @Test func causesAreBoundedAndTheRestIsCounted() throws {
    let text = try told(
      3000, { RunFailure(step: .render, code: "image.x", message: Self.word($0)) }, place: "r.xml")
    #expect(text.split(separator: "\n").count < 60, "\(text)")
    #expect(text.contains("and 2,980 more for 2,980 other causes"))
    #expect(text.contains("all are listed in r.xml"))
  }

  @Test func messagesThatSayMoreThanTheirGroupAreTold() throws {
    let text = try told(3) {
      RunFailure(step: .render, code: "image.limit", message: "it has \($0 + 7) pixels")
    }
    for number in 7...9 { #expect(text.contains("it has \(number) pixels")) }
  }

  /// Letters alone: numbers do not tell causes apart.
  private static func word(_ number: Int) -> String {
    String("\(number)".map { Character(UnicodeScalar(UInt8(ascii: "a") + UInt8($0.wholeNumberValue ?? 0))) })
  }
}
