import Testing

@testable import Digests
@testable import Text

@Suite("Text of numbers and bytes", .timeLimit(.minutes(10)))
struct NumberTextTests {
  @Test(
    arguments: [
      (320, "320.0"), (0, "0.0"), (-5, "-5.0"), (0.1, "0.1"), (33.3 * 3, "99.89999999999999"),
      (1e-4, "0.0001"),
      (1e-5, "1e-05"), (16_777_217, "16777217.0"), (9_007_199_254_740_992, "9007199254740992.0"),
      (1e16, "1e+16"), (1e17, "1e+17"), (.infinity, "inf"),
    ] as [(Double, String)])
  func aDoublePrintsItsShortestForm(value: Double, text: String) {
    #expect(NumberText.number(value) == text)
  }

  @Test(
    arguments: [
      (400.1, "400.1"), (16_777_216, "16777216.0"), (33_554_432, "3.3554432e+07"), (1e10, "1e+10"),
      (1e-5, "1e-05"),
    ] as [(Float, String)])
  func aFloatPrintsFloatDigits(value: Float, text: String) {
    #expect(NumberText.number(value) == text)
  }

  @Test func aSidePrintsAsOnApplesSystems() {
    #expect([320, 9999].map { NumberText.number($0 as Double) } == ["320.0", "9999.0"])
    #expect([0.5, 1e-5].map { NumberText.number($0 as Double) } == ["0.5", "1e-05"])
  }

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
      NumberText.plain(3) == "3" && NumberText.plain(-0.0) == "-0.0" && NumberText.plain(2.5) == "2.5"
        && NumberText.fixed(-0.04, 1) == "0.0")
  }
}
