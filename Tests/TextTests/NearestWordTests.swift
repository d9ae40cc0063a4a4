import Testing

@testable import Text

@Suite(.timeLimit(.minutes(10)))
struct NearestWordTests {
  static let known = ["policy", "scale", "cache", "chain", "client", "storeAll", "id", "circle"]

  @Test(
    "The nearest word is the one that was meant",
    arguments: [
      ("polcy", "policy"), ("plicy", "policy"), ("POLICY", "policy"), ("ploicy", "policy"),
      ("sacle", "scale"),
      ("storeal", "storeAll"), ("circel", "circle"), ("cahce", "cache"), ("ide", "id"), ("policies", nil),
      ("zzz", nil), ("", nil), ("x", nil),
    ] as [(String, String?)])
  func nearest(typed: String, meant: String?) {
    #expect(WordDistance.nearest(typed, in: Self.known) == meant)
  }

  @Test func nothingIsSuggestedForVeryLongWordsOrFromNothing() {
    #expect(WordDistance.nearest(String(repeating: "policy", count: 20), in: Self.known) == nil)
    #expect(WordDistance.nearest("policy", in: []) == nil)
  }

  @Test(
    "A neighbour swapped is one edit",
    arguments: [
      ("", "", 0), ("ab", "ba", 1), ("abc", "abc", 0), ("kitten", "sitting", 3), ("abcdef", "uvwxyz", nil),
    ] as [(String, String, Int?)])
  func edits(a: String, b: String, expected: Int?) {
    #expect(WordDistance.edits(Array(a.utf8), Array(b.utf8), atMost: 3) == expected)
  }
}
