import Testing

@testable import Feeds

/// Which fields the first rows of a catalogue have.
@Suite(.timeLimit(.minutes(10)))
struct SampleTests {
  private func sample(_ text: String, _ format: FeedFormat) throws -> [String] {
    try FeedSample.values(in: CatalogueText(bytes: Array(text.utf8)), format).map { value in
      "\(value.rows ?? "")|\(value.name)\(value.isURL ? "|URL" : "")"
    }
  }

  @Test func valuesAreNamedAsAQueryNamesThem() throws {
    #expect(try sample("a,b,a,\n1,https://e.com/1,3,4\n", .csv) == ["|b|URL"])
    #expect(try sample("a\tb\n1\thttps://e.com/1 x\n", .tsv) == ["|a", "|b"])
    #expect(throws: FeedFault.self) { try sample("", .csv) }
    let text = #"{"n": 1, "shop": {"items": [{"i": [{"s": "http:\/\/e.com"}, {"s": 1}], "a/b": 1}, {"i": nu"#
    #expect(try sample(text, .json) == ["/shop/items|/i/*/s|URL", "/shop/items|/i/*/s", "/shop/items|a/b"])
    #expect(try sample("[{\"a\": null, \"b\": {\"c\": true}}]", .json) == ["|/b/c"])
    #expect(try sample("[\"https://e.com/1\"]", .json) == ["||URL"])
    #expect(try sample("{\"a\": 1}\n{\"a\": 2, \"b\": \"\\\"\"}\n", .ndjson) == ["|a", "|a", "|b"])
    // No longer than a line of a job can say.
    let long = String(repeating: "k", count: 2000)
    #expect(try sample("[{\"\(long)\": 1, \"b\": {\"\(long)\": {\"c\": 1}}, \"d\": 2}]", .json) == ["|d"])
  }

  @Test func theBeginningIsEnough() throws {
    let rows = (0..<20_000).map { "https://e.com/\($0).jpg,\($0)\n" }.joined()
    #expect(try sample("image,rank\n\(rows)\"never closed", .csv).count == 1000)
    #expect(try sample("[" + String(repeating: "[1],", count: 20_000), .json).count == 1000)
  }

  /// Text from strangers, cut anywhere.
  @Test func anyTextIsLookedThrough() {
    let text = Array(#"{"a": [1, {"b": "\u12"}, [[["x"]]]], "c" "d": ] } { , : "e\"#.utf8)
    for end in text.indices {
      for format in FeedFormat.allCases {
        _ = try? FeedSample.values(in: CatalogueText(bytes: Array(text[..<end])), format)
        _ = try? FeedSample.values(in: CatalogueText(bytes: Array(text[end...])), format)
      }
    }
  }
}
