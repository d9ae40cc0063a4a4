import Testing

@testable import Feeds

/// Which columns the first rows of a table have URLs in.
@Suite(.timeLimit(.minutes(10)))
struct SampleTests {
  private func sample(_ text: String, _ format: FeedFormat) throws -> [String] {
    try FeedSample.columnsOfURLs(in: CatalogueText(bytes: Array(text.utf8)), format)
  }

  @Test func columnsOfURLsAreNamed() throws {
    #expect(try sample("a,b,a,\n1,https://e.com/1,https://e.com/2,4\n", .csv) == ["b"])
    #expect(try sample("a\tb\n1\thttps://e.com/1 x\n", .tsv) == [])
    #expect(throws: FeedFault.self) { try sample("", .csv) }
  }

  @Test func theBeginningIsEnough() throws {
    let rows = (0..<20_000).map { "https://e.com/\($0).jpg,\($0)\n" }.joined()
    #expect(try sample("image,rank\n\(rows)\"never closed", .csv).count == 1000)
  }
}
