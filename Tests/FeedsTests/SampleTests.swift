import Testing

@testable import Feeds

/// Which fields the first rows of a catalogue have URLs in.
@Suite(.timeLimit(.minutes(10)))
struct SampleTests {
  private func sample(_ text: String, _ format: FeedFormat) throws -> [String] {
    try FeedSample.fieldsOfURLs(in: CatalogueText(bytes: Array(text.utf8)), format).map(\.name)
  }

  @Test func columnsAreNamed() throws {
    #expect(try sample("a,b,a,\n1,https://e.com/1,https://e.com/2,4\n", .csv) == ["b"])
    #expect(try sample("a\tb\n1\thttps://e.com/1 x\n", .tsv) == [])
    #expect(throws: FeedFault.self) { try sample("", .csv) }
  }

  @Test(arguments: [
    ("[{\"id\":1},{\"b\":\"https://e.com/2\",\"a\":\"https://e.com/1\"}]", nil, ["a", "b"]),
    (
      "{\"meta\":{\"self\":\"https://e.com\"},\"shop\":{\"a/b\":[{\"u\":\"https://e.com/1\"}]}}",
      "/shop/a~1b", ["u"]
    ),
    ("{\"products\":[]}", nil, []), ("[\"https://e.com/1\"", nil, []),
  ])
  func membersOfTheFirstRowsAreNamed(json: String, rows: String?, names: [String]) throws {
    let fields = try FeedSample.fieldsOfURLs(in: CatalogueText(bytes: Array(json.utf8)), .json)
    #expect(fields.map(\.name) == names && fields.allSatisfy { $0.rows == rows })
  }

  @Test func aLineOfJSONIsARow() throws {
    #expect(try sample("{\"u\":\"https://e.com/1\"}\nnot JSON", .ndjson) == ["u"])
  }

  @Test func theBeginningIsEnough() throws {
    let rows = (0..<20_000).map { "https://e.com/\($0).jpg,\($0)\n" }.joined()
    #expect(try sample("image,rank\n\(rows)\"never closed", .csv).count == 1000)
  }
}
