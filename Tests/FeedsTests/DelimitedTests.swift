import Testing

@testable import Feeds

/// The cases of csv-spectrum as facts, and what else catalogues have.
@Suite(.timeLimit(.minutes(10)))
struct DelimitedTests {
  struct Case: Sendable {
    var name: String
    var text: String
    var fields: [String]
    var rows: [String]
  }

  static let spectrum = [
    Case(
      name: "comma in quotes", text: "first,address,zip\nJohn,\"120 any st., Anytown, WW\",08123\n",
      fields: ["address", "zip"], rows: ["2 address=120 any st., Anytown, WW zip=08123"]),
    Case(
      name: "empty", text: "a,b,c\n1,\"\",\"\"\n2,3,4\n", fields: ["a", "b", "c"],
      rows: ["2 a=1", "3 a=2 b=3 c=4"]),
    Case(
      name: "empty, CRLF", text: "a,b,c\r\n1,\"\",\"\"\r\n2,3,4\r\n", fields: ["a", "b", "c"],
      rows: ["2 a=1", "3 a=2 b=3 c=4"]),
    Case(
      name: "escaped quotes", text: "a,b\n1,\"ha \"\"ha\"\" ha\"\n3,4\n", fields: ["a", "b"],
      rows: ["2 a=1 b=ha \"ha\" ha", "3 a=3 b=4"]),
    Case(
      name: "JSON", text: "key,val\n1,\"{\"\"type\"\": \"\"Point\"\", \"\"at\"\": [102.0, 0.5]}\"\n",
      fields: ["key", "val"],
      rows: ["2 key=1 val={\"type\": \"Point\", \"at\": [102.0, 0.5]}"]),
    Case(
      name: "newlines", text: "a,b,c\n1,2,3\n\"Once upon \na time\",5,6\n7,8,9\n", fields: ["a", "c"],
      rows: ["2 a=1 c=3", "3 a=Once upon \na time c=6", "5 a=7 c=9"]),
    Case(
      name: "newlines, CRLF", text: "a,b,c\r\n1,2,3\r\n\"Once upon \r\na time\",5,6\r\n7,8,9\r\n",
      fields: ["a", "c"],
      rows: ["2 a=1 c=3", "3 a=Once upon \r\na time c=6", "5 a=7 c=9"]),
    Case(
      name: "quotes and newlines", text: "a,b\n1,\"ha \n\"\"ha\"\" \nha\"\n3,4\n", fields: ["a", "b"],
      rows: ["2 a=1 b=ha \n\"ha\" \nha", "5 a=3 b=4"]),
    Case(name: "simple", text: "a,b,c\n1,2,3\n", fields: ["b"], rows: ["2 b=2"]),
    Case(name: "simple, CRLF", text: "a,b,c\r\n1,2,3\r\n", fields: ["b"], rows: ["2 b=2"]),
    Case(name: "UTF-8", text: "a,b,c\n1,2,3\n4,5,ʤ\n", fields: ["c"], rows: ["2 c=3", "3 c=ʤ"]),
    Case(name: "no end of the last line", text: "a,b\n1,2", fields: ["b"], rows: ["2 b=2"]),
    Case(name: "old line ends", text: "a,b\r1,2\r3,4\r", fields: ["b"], rows: ["2 b=2", "3 b=4"]),
    Case(name: "blank lines", text: "a,b\n\n1,2\n\n", fields: ["b"], rows: ["3 b=2"]),
    Case(name: "a mark", text: "\u{FEFF}a,b\n1,2\n", fields: ["a"], rows: ["2 a=1"]),
    Case(name: "semicolons", text: "a;b\n1;\"2,5\"\n", fields: ["b"], rows: ["2 b=2,5"]),
    Case(name: "a quote inside", text: "a,b\n1,5\" pipe\n", fields: ["b"], rows: ["2 b=5\" pipe"]),
  ]

  @Test(arguments: spectrum)
  func textIsRead(_ item: Case) {
    for pieces in [1 << 18, 3, 64] where pieces > 3 || !item.text.contains(";") {
      let read = FeedReading(item.text, .csv, item.fields, pieces: pieces)
      #expect(read.rows == item.rows, "\(item.name)")
      #expect(read.faults.isEmpty && read.failure == nil, "\(item.name): \(read)")
    }
    let tabs = item.text.replacing(",", with: "\t")
    if !item.text.contains(";") {
      #expect(FeedReading(tabs, .tsv, item.fields).rows == item.rows.map { $0.replacing(",", with: "\t") })
    }
  }

  /// Where an editor shows them: in the line of the file, at the character; by the name of the column.
  @Test func mistakesHaveTheirLineAndColumn() {
    let text = "a,b\n1,2,3\n4\n\"5\"x,6\n7,8\n\"ä\nö\nü\",\"10\" \n11\n9,\"12\n"
    for pieces in [1 << 18, 3] {
      let read = FeedReading(text, .csv, ["a", "b"], pieces: pieces)
      #expect(read.rows == ["5 a=7 b=8"])
      #expect(
        read.faults == [
          "2:5: this row has 3 fields, the header has 2",
          "3:1: this row has 1 field, the header has 2; 'b' is missing",
          "4:4: 'a': text follows the quote that ends a field",
          "8:8: 'b': text follows the quote that ends a field",
          "9:1: this row has 1 field, the header has 2; 'b' is missing",
          "10:3: 'b': a quote is not closed",
        ])
    }
  }

  @Test func fieldsHaveTheirLineAndColumn() throws {
    var reader = try DelimitedReader(
      CatalogueText(bytes: Array("ä,b,c\r\n\"x\r\ny\",\"ö\nz\",3\r\n".utf8)), .csv, fields: ["b", "c"])
    guard case .row(let row) = try reader.next() else {
      Issue.record("there is no row")
      return
    }
    #expect(row.line == 2)
    #expect(row.values.map(\.place) == [TextPlace(line: 3, column: 4), TextPlace(line: 4, column: 4)])
  }

  @Test func theHeaderHasEachFieldOnce() {
    #expect(FeedReading("a,b\n1,2\n", .csv, ["c"]).failure == "no column is called 'c'")
    #expect(FeedReading("a,a\n1,2\n", .csv, ["a"]).failure == "several columns are called 'a'")
    #expect(FeedReading("", .csv, ["a"]).failure == "it is empty")
    #expect(FeedReading([0xFF, 0xFE, 0x61, 0], .csv, ["a"]).failure == "it is UTF-16")
  }

  @Test func theNamesOfTheColumnsHaveASum() {
    let text =
      "a," + String(repeating: String(repeating: "x", count: 1 << 18) + ",", count: 4) + "b\n1,2,3,4,5,6\n"
    #expect(FeedReading(text, .csv, ["a"]).failure == "the names of its columns are longer than 1 MiB")
  }

  @Test func theFieldsOfARowHaveASum() {
    let field = String(repeating: "x", count: 1 << 20)
    let read = FeedReading(
      "a,b,c,d,e\n" + [field, field, field, field, "y"].joined(separator: ",") + "\n1,2,3,4,5\n", .csv,
      ["a", "b", "c", "d", "e"])
    #expect(read.rows.count == 1 && read.faults.first?.contains("more than 4 MiB") == true)
  }

  @Test func aFieldHasALimit() {
    let text = "a,b\n1,\"" + String(repeating: "x", count: FeedLimits.field + 1)
    #expect(FeedReading(text, .csv, ["a"]).failure == "'b': this field is longer than 1 MiB")
  }
}
