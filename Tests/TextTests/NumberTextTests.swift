import Testing

@testable import Digests
@testable import Text

@Suite("Text of numbers and bytes", .timeLimit(.minutes(10)))
struct NumberTextTests {
  @Test func bytesPrintAsTwoLowerCaseDigitsEach() {
    #expect(hexadecimal([UInt8]()) == "")
    #expect(hexadecimal([0, 9, 10, 15, 16, 255]) == "00090a0f10ff")
  }

  @Test func peopleReadCountsWithCommasAndAPlural() {
    #expect(NumberText.grouped(-1_234_567) == "-1,234,567")
    #expect(NumberText.count(1, "source") == "1 source")
    #expect(NumberText.count(12_345, "source") == "12,345 sources")
    #expect(NumberText.count(0, "entry", "entries") == "0 entries")
    #expect(
      NumberText.plain(3) == "3" && NumberText.plain(-0.0) == "-0.0" && NumberText.plain(2.5) == "2.5")
  }
}
