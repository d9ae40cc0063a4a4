import Testing

@testable import Text

@Suite(.timeLimit(.minutes(10)))
struct DurationTextTests {
  @Test(arguments: [
    (0.0000004, "0 µs"), (0.00025, "250 µs"), (0.00134, "1.3 ms"), (0.25, "250 ms"), (4.21, "4.2 s"),
    (125.4, "2 min 5 s"), (-0.00025, "-250 µs"), (-1e300, "-1000000000000000000 µs"),
    (1e300, "16666666666666 min 40 s"),
  ])
  func timesReadWell(seconds: Double, text: String) {
    #expect(DurationText.text(seconds) == text)
  }

  @Test(arguments: [
    (0.0, "0 s"), (0.04, "0 s"), (0.25, "0.3 s"), (3, "3 s"), (59.94, "59.9 s"), (61, "1 min 1 s"),
  ])
  func aSummaryKnowsNoUnitBelowSeconds(seconds: Double, text: String) {
    #expect(DurationText.wholeSeconds(seconds) == text)
  }

  @Test(arguments: [
    (0.0, "0:00"), (0.2, "0:01"), (59.5, "1:00"), (725, "12:05"), (3723, "1:02:03"), (1e12, "99:59:59"),
    (-4, "0:00"),
  ])
  func timeIsShownAsOnAClock(seconds: Double, text: String) {
    #expect(DurationText.clock(seconds) == text)
  }

  @Test(arguments: [
    (0.0, "0 s"), (119, "119 s"), (120, "2 min"), (7200, "2 h"), (172_800, "2 d"), (-4, "in 4 s"),
  ])
  func anAgeHasOneUnit(seconds: Double, text: String) {
    #expect(DurationText.age(seconds) == text)
  }
}
