import Testing

@testable import PreheatCommand
@testable import Text

@Suite(.timeLimit(.minutes(10))) struct NearestWordTests {
  @Test(arguments: [
    ("cleint", "client"), ("Client", "client"), ("conn", "connections"), ("polcy", "policy"),
    ("jsn", "json"), ("x", nil), ("", nil), ("frobnicate", nil), ("ca", nil), ("max-pixel", "max-pixels"),
  ]) func theNearestWordIsFoundOrNone(typed: String, meant: String?) {
    let known = ["client", "cache", "policy", "json", "connections", "max-pixels"]
    #expect(nearestWord(to: typed, in: known) == meant)
  }
}
