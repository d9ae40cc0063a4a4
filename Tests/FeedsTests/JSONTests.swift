import Testing

@testable import Feeds

@Suite(.timeLimit(.minutes(10)))
struct JSONTests {
  /// Texts that JSONTestSuite has among those that have to be accepted.
  private static let valid = [
    "[[]   ]", "[\"\"]", "[]", "[\"a\"]", "[false]", "[null, 1, \"1\", {}]", "[null]", "[1\n]", " [1]",
    "[1,null,null,null,2]",
    "[2] ", "[123e65]", "[0e+1]", "[0e1]", "[ 4]",
    "[-0.000000000000000000000000000000000000000000000000000001]",
    "[20e1]", "[-0]", "[-123]", "[-1]", "[1E22]", "[1E-2]", "[1E+2]", "[123e45]", "[123.456e78]", "[1e-2]",
    "[1e+2]",
    "[123]", "[123.456789]", "{\"asd\":\"sdf\", \"dfg\":\"fgh\"}", "{\"asd\":\"sdf\"}",
    "{\"a\":\"b\",\"a\":\"c\"}", "{}",
    "{\"\":0}", "{\"foo\\u0000bar\": 42}", "{ \"min\": -1.0e+28, \"max\": 1.0e+28 }", "{\"a\":[]}",
    "[\"\\u0060\\u012a\\u12AB\"]", "[\"\\uD801\\udc37\"]", "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]",
    "[\"\\\\u0000\"]",
    "[\"a/*b*/c/*d//e\"]", "[\"\\uFFFF\"]", "[\"\u{7F}\"]", "[\"⍂㈴⍂\"]", "false", "42", "-0.1", "null",
    "\"asd\"", "true", "\"\"",
    "[\"a\"]\n", "[true]", " [] ", "[\"\u{2028}\"]",
  ]

  /// Texts of it that have to be refused.
  private static let invalid = [
    "[1 true]", "[\"\": 1]", "[\"\"],", "[,1]", "[1,,2]", "[\"x\",,]", "[\"x\"]]", "[\"\",]", "[\"x\"", "[x",
    "[3[4]]", "[1:2]",
    "[,]", "[-]", "[   , \"\"]", "[\"a\",\n4\n,1,", "[1,]", "[1,,]", "[*]", "[\"\"", "[1,\n1\n,1", "[{}",
    "[fals]", "[nul]",
    "[tru]", "[++1234]", "[+1]", "[+Inf]", "[-01]", "[-1.0.]", "[-2.]", "[-NaN]", "[.-1]", "[.2e-3]",
    "[0.1.2]", "[0.3e+]",
    "[0.3e]", "[0.e1]", "[0E+]", "[0E]", "[0e+]", "[0e]", "[1.0e+]", "[1.0e-]", "[1.0e]", "[1 000.0]",
    "[1eE2]", "[2.e+3]",
    "[2.e-3]", "[2.e3]", "[9.e+]", "[Inf]", "[NaN]", "[1+2]", "[0x1]", "[0x42]", "[Infinity]", "[0e+-1]",
    "[-123.123foo]",
    "[-Infinity]", "[-foo]", "[- 1]", "[-012]", "[-.123]", "[-1x]", "[1ea]", "[1.]", "[.123]", "[1.2a-3]",
    "[1.8011670033376514H-308]",
    "[012]", "[\"x\", truth]", "{[: \"x\"}\n", "{\"x\", null}", "{\"x\"::\"b\"}", "{\"a\":\"a\" 123}",
    "{key: 'value'}", "{\"a\" b}",
    "{:\"b\"}", "{\"a\" \"b\"}", "{\"a\":", "{\"a\"", "{1:1}", "{9999E9999:1}", "{null:null,null:null}",
    "{\"id\":0,,,,,}", "{'a':0}",
    "{\"id\":0,}", "{\"a\":\"b\"}/**/", "{\"a\":\"b\",,\"c\":\"d\"}", "{a: \"b\"}", "{\"a\":\"a",
    "{ \"foo\" : \"bar\", \"a\"",
    "{\"a\":\"b\"}#", " ", "[\"\\uD800\\\"]", "[\"\\uD800\\u1\"]", "[\"\\uD800\\u1x\"]", "[é]", "[\"\\a\"]",
    "[\"\\x00\"]", "[\"\\\\\\\"]",
    "[\"\\u00A\"]", "[\"\\uD834\\uDd\"]", "[\"\\U0001D11E\"]", "[\"a\u{0}a\"]", "[\"\\", "[\"new\nline\"]",
    "[\"\t\"]", "\"x", "[\\n]",
    "\"x\"x", "<.>", "[<null>]", "[1]x", "]", "{\"a\": true} \"x\"", "['", "[\"a", "[\"", "[,", "{", "{[",
    "{,", "{'a'", "[1", "[ false, nul",
    "{}}", "", "[", "*", "{\"\":", "[\u{2060}]", "[\u{0C}]",
  ]

  @Test func textsOfTheSuiteAreAcceptedOrRefused() {
    for pieces in [1 << 18, 3] {
      for text in Self.valid {
        let read = FeedReading(text, .json, ["a"], rows: "", pieces: pieces)
        #expect(read.failure == nil && read.faults.isEmpty, "\(text): \(read)")
      }
      for text in Self.invalid {
        #expect(FeedReading(text, .json, ["a"], rows: "", pieces: pieces).failure != nil, "\(text)")
      }
    }
    #expect(
      FeedReading(String(repeating: "[", count: 100_000), .json, ["a"]).failure?.contains(
        "within one another") == true)
    #expect(FeedReading([0x5B, 0xFF, 0x5D], .json, ["a"]).failure != nil)
  }

  @Test func rowsAreFoundByPointers() {
    let shop =
      #"{"shop": {"products": [{"id": 7, "images": [{"src": "x"}, {"src": "y"}]}, {"id": 8, "images": []}]}}"#
    let read = FeedReading(shop, .json, ["id", "/images/*/src", "/images/1/src"], rows: "/shop/products")
    #expect(read.rows == ["1 id=7 /images/*/src=x /images/*/src=y /images/1/src=y", "2 id=8"])
    let table = #"{"p": {"a/b": {"u": "1"}, "c": {"u": "2"}}}"#
    #expect(FeedReading(table, .json, ["u"], rows: "/p/*").rows == ["1 u=1", "2 u=2"])
    #expect(FeedReading(table, .json, ["u"], rows: "/p/a~1b").rows == ["1 u=1"])
    #expect(FeedReading(#"[{"u": "1"}, 5, {"v": "2"}]"#, .json, ["u"]).rows == ["1 u=1", "2 ", "3 "])
    #expect(FeedReading(#"["x", "y"]"#, .json, [""]).rows == ["1 =x", "2 =y"])
    let nested = #"[{"id": "1", "in": {"id": "no"}, "n": null, "t": true, "x": 1.50}]"#
    #expect(
      FeedReading(nested, .json, ["id", "n", "t", "x", "/in/id"]).rows == ["1 id=1 /in/id=no t=true x=1.50"])
  }

  @Test func escapesAreUndone() {
    let text = #"[{"u\u0072l": "\u00e4\uD801\udc37\n\/ \uD801x"}]"#
    for pieces in [1 << 18, 3] {
      #expect(FeedReading(text, .json, ["url"], pieces: pieces).rows == ["1 url=ä\u{10437}\n/ \u{FFFD}x"])
    }
  }

  @Test func anObjectSaysWhereItsArraysAre() {
    let read = FeedReading(#"{"n": 1, "products": [{"url": "x"}], "more": []}"#, .json, ["url"])
    #expect(read.rows.isEmpty)
    #expect(read.failure == "it is one JSON object; name its array with rows=/path")
    #expect(FeedReading(#"{"a": []}"#, .json, ["url"], rows: "/b").failure == "there is no array at '/b'")
  }

  /// The others are read; a row of JSON has its number, as the file may be one line.
  @Test func aRowHasAtMostAThousandValues() {
    let many = "{\"u\": [" + String(repeating: "1,", count: FeedLimits.values) + "2]}"
    let read = FeedReading("[{\"u\": [3]}, \(many), {\"u\": [4]}]", .json, ["/u/*"])
    #expect(read.rows == ["1 /u/*=3", "3 /u/*=4"] && read.failure == nil)
    #expect(
      read.faults == [
        "2:1: this row has over 1000 values of the fields, one over 1 MiB, or over 4 MiB in all"
      ])
  }

  @Test func theValuesOfARowHaveASumAsWell() {
    let long = String(repeating: "x", count: FeedLimits.field)
    let row = { (count: Int) in
      "{\"u\": [" + Array(repeating: "\"\(long)\"", count: count).joined(separator: ",") + "]}"
    }
    let longer = "{\"u\": [\"\(long)x\"]}, {\"u\": [\"y\"], \"\(long)x\": \"\(long)x\"}"
    let read = FeedReading("[\(row(5)), \(row(4)), \(longer)]", .json, ["/u/*"])
    #expect(read.rows.count == 2 && read.rows.last == "4 /u/*=y")
    #expect(read.faults.map { $0.prefix(22) } == ["1:1: this row has over", "3:1: this row has over"])
  }

  @Test func aLineOfNDJSONIsARowOfItsOwn() {
    let text = "{\"u\": 1}\n\n{\"u\": 2,}\r\n{\"u\": [1\n{\"u\": 3}\nx\n{\"u\": 4}"
    let read = FeedReading(text, .ndjson, ["u"])
    #expect(read.rows == ["1 u=1", "5 u=3", "7 u=4"])
    #expect(
      read.faults == [
        "3:9: a member's name in double quotes is expected",
        "4:9: the line ends within a value", "6:1: a value is expected",
      ])
    #expect(read.failure == nil)
  }
}
