import Foundation
import Testing
import Text

@testable import Syntax

@Suite(.timeLimit(.minutes(10))) struct JSONRecordTests {
  private struct Box<Content: JSONWritable & Sendable>: JSONRecord {
    let content: Content

    static var json: JSONMembers<Self> { JSONMembers(("v", \.content)) }
  }

  private enum Colour: String, JSONWord { case red, blue }

  private struct Shape: JSONRecord {
    var name = "a"
    var colour: Colour? = .red
    var sides: [Box<Int>] = [Box(content: 1)]
    var note: String?

    static let json = JSONMembers<Self>(
      type: "shape", ("name", \.name), ("colour", \.colour), ("sides", \.sides), ("note?", \.note),
      ("count", \.sides.count))
  }

  @Test func membersKeepTheirOrderAndOptionalOnesAreLeftOut() {
    #expect(
      Shape().jsonLine == #"{"v":1,"type":"shape","name":"a","colour":"red","sides":[{"v":1}],"count":1}"#
        + "\n")
    #expect(
      Shape(colour: nil, sides: [], note: "n").jsonLine
        == #"{"v":1,"type":"shape","name":"a","colour":null,"sides":[],"note":"n","count":0}"# + "\n")
  }

  @Test func theSchemaSaysWhatIsWritten() throws {
    let schema = try JSONReading.dictionary(Shape.schema)
    #expect(schema["required"] as? [String] == ["v", "type", "name", "colour", "sides", "count"])
    let properties = try #require(schema["properties"] as? [String: [String: Any]])
    #expect(properties["type"]?["const"] as? String == "shape")
    let colours = try #require(properties["colour"]?["anyOf"] as? [[String: Any]])
    #expect(colours[0]["enum"] as? [String] == ["red", "blue"] && colours[1]["type"] as? String == "null")
    #expect(properties["note"]?["type"] as? String == "string", "it is there, or it is left out")
    #expect((properties["sides"]?["items"] as? [String: Any])?["required"] as? [String] == ["v"])
  }

  static let values: [(any JSONWritable & Sendable, String)] = [
    (Int?.none, "null"), (true, "true"), (false, "false"),
    (Int.min, "-9223372036854775808"), (Int.max, "9223372036854775807"), (Int64.max, "9223372036854775807"),
    (0.1, "0.1"), (1e-7, "1e-07"), (5e16, "5e+16"), (-2.0, "-2.0"),
    (Double.nan, "null"), (Double.infinity, "null"),
    ("", #""""#), (#"a"b\c/"#, #""a\"b\\c/""#), ("é日😀", #""é日😀""#),
    ("\n\r\t\u{0}\u{1f}\u{7f}", #""\n\r\t\u0000\u001f\u007f""#),
    ("\u{e0041}\u{202e}", #""\udb40\udc41\u202e""#),
    ([Int](), "[]"), ([[1], []], "[[1],[]]"), (Int?.some(7), "7"), (Colour.blue, #""blue""#),
    (Box(content: "z"), #"{"v":"z"}"#), (Date(timeIntervalSince1970: 0), #""1970-01-01T00:00:00Z""#),
  ]

  @Test(arguments: values) func valuesAreWrittenAsJSONWritesThem(
    value: any JSONWritable & Sendable, text: String
  ) throws {
    func line(_ value: some JSONWritable & Sendable) -> String { Box(content: value).jsonLine }
    #expect(line(value) == #"{"v":\#(text)}"# + "\n")
    #expect(try JSONReading.dictionary(line(value)).count == 1)
  }

  @Test func noTextBreaksALine() {
    let everything = (0...0x2fff).compactMap { Unicode.Scalar($0) }.map(String.init).joined()
    let line = Box(content: everything).jsonLine
    #expect(line.unicodeScalars.filter { $0 == "\n" || $0.value == 0x2028 || $0.value == 0x85 }.count == 1)
    #expect(line.hasSuffix("}\n"))
  }

  @Test(arguments: [
    "\u{1b}[31mred\u{1b}[0m", "\u{1b}]0;title\u{7}", "\u{9b}31m", "two\r\nlines", "nul\0byte", "\u{202e}gpj",
    "\u{2066}a\u{2069}", "\u{200b}\u{feff}", "\u{e0041}", "\u{2028}", "\u{fffe}",
  ])
  func nastyTextIsValidAndQuiet(text: String) throws {
    let line = String(Box(content: text).jsonLine.dropLast())
    #expect(!line.unicodeScalars.contains { SafeText.isDangerous($0) })
    #expect(try JSONReading.dictionary(line)["v"] as? String == text)
  }
}

/// Somebody else's JSON reader, to check our writer with.
enum JSONReading {
  static func dictionary(_ text: String) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
  }
}
