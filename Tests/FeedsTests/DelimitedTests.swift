import Testing

@testable import Feeds

/// The cases of csv-spectrum as facts, and what else catalogues have.
@Suite(.timeLimit(.minutes(10)))
struct DelimitedTests {
  /// Texts with LF at the ends of their lines; those of csv-spectrum first.
  static let texts: [(text: String, fields: [String], rows: [String])] = [
    (
      "first,address,zip\nJohn,\"120 any st., Anytown, WW\",08123\n", ["address", "zip"],
      ["2 address=120 any st., Anytown, WW zip=08123"]
    ),
    ("a,b,c\n1,\"\",\"\"\n2,3,4\n", ["a", "b", "c"], ["2 a=1", "3 a=2 b=3 c=4"]),
    ("a,b\n1,\"ha \"\"ha\"\" ha\"\n3,4\n", ["a", "b"], ["2 a=1 b=ha \"ha\" ha", "3 a=3 b=4"]),
    (
      "key,val\n1,\"{\"\"type\"\": \"\"Point\"\", \"\"at\"\": [102.0, 0.5]}\"\n", ["key", "val"],
      ["2 key=1 val={\"type\": \"Point\", \"at\": [102.0, 0.5]}"]
    ),
    (
      "a,b,c\n1,2,3\n\"Once upon \na time\",5,6\n7,8,9\n", ["a", "c"],
      ["2 a=1 c=3", "3 a=Once upon \na time c=6", "5 a=7 c=9"]
    ),
    (
      "a,b\n1,\"ha \n\"\"ha\"\" \nha\"\n3,4\n", ["a", "b"],
      ["2 a=1 b=ha \n\"ha\" \nha", "5 a=3 b=4"]
    ),
    ("a,b,c\n1,2,3\n4,5,ʤ\n", ["c"], ["2 c=3", "3 c=ʤ"]), ("a,b\n1,2", ["b"], ["2 b=2"]),
    ("a,b\n1,2\n3,4\n", ["b"], ["2 b=2", "3 b=4"]), ("a,b\n\n1,2\n\n", ["b"], ["3 b=2"]),
    ("\u{FEFF}a,b\n1,2\n", ["a"], ["2 a=1"]), ("a;b\n1;\"2,5\"\n", ["b"], ["2 b=2,5"]),
    ("a,b\n1,5\" pipe\n", ["b"], ["2 b=5\" pipe"]),
  ]

  @Test(arguments: texts, ["\n", "\r\n", "\r"])
  func textIsRead(_ item: (text: String, fields: [String], rows: [String]), end: String) {
    let text = item.text.replacing("\n", with: end)
    let rows = item.rows.map { $0.replacing("\n", with: end) }
    let isPlain = !text.contains(";")
    for pieces in [1 << 18, 3, 64] where pieces > 3 || isPlain {
      let read = FeedReading(text, .csv, item.fields, pieces: pieces)
      #expect(read.rows == rows)
      #expect(read.faults.isEmpty && read.failure == nil, "\(read)")
    }
    guard isPlain else { return }
    let tabs = FeedReading(text.replacing(",", with: "\t"), .tsv, item.fields)
    #expect(tabs.rows == rows.map { $0.replacing(",", with: "\t") })
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
    guard case .success(let row) = try reader.next() else {
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
    #expect(read.rows.count == 1 && read.faults.first?.contains("over 4 MiB") == true)
  }

  @Test func aFieldHasALimit() {
    let long = String(repeating: "x", count: 3 * FeedLimits.field)
    let read = FeedReading("a,b\n1,\"\(long)\"\n\(long),2\n3,4\n5,\"", .csv, ["a"])
    #expect(read.rows == ["2 a=1", "4 a=3"])
    #expect(read.faults == ["3:1: 'a': this field is longer than 1 MiB", "5:3: 'b': a quote is not closed"])
  }

  @Test func excelSaysWhatSeparates() {
    #expect(FeedReading("sep=|\r\na|b\r\n1|2,3\r\n", .csv, ["b"]).rows == ["3 b=2,3"])
    #expect(FeedReading("sep=|\na\n1\n", .csv, ["a"]).rows == ["3 a=1"])
  }
}
