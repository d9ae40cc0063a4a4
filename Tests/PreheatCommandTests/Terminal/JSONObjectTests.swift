import Foundation
import Testing

@testable import PreheatCommand
@testable import Text

@Suite(.timeLimit(.minutes(10))) struct JSONObjectTests {
  @Test func membersKeepTheirOrder() {
    var object: JSONObject = ["v": .integer(1), "type": .string("rendition")]
    object["line"] = .integer(7)
    object["a"] = .null
    #expect(object.text == #"{"v":1,"type":"rendition","line":7,"a":null}"#)
    #expect(object.line == object.text + "\n")
  }

  @Test func settingAMemberAgainReplacesItInItsPlace() {
    var object: JSONObject = ["a": .integer(1), "b": .integer(2)]
    object["a"] = .bool(true)
    object["b"] = nil
    #expect(object.text == #"{"a":true}"#)
    #expect(object["a"] == .bool(true))
    #expect(object["b"] == nil)
  }

  static let values: [(JSONValue, String)] = [
    (.null, "null"), (.bool(true), "true"), (.bool(false), "false"),
    (.integer(.min), "-9223372036854775808"), (.integer(.max), "9223372036854775807"),
    (.number(0.1), "0.1"), (.number(1e-7), "1e-07"), (.number(5e16), "5e+16"), (.number(-2), "-2.0"),
    (.number(.nan), "null"), (.number(.infinity), "null"),
    (.string(""), #""""#), (.string(#"a"b\c/"#), #""a\"b\\c/""#), (.string("é日😀"), #""é日😀""#),
    (.string("\n\r\t\u{0}\u{1f}\u{7f}"), #""\n\r\t\u0000\u001f\u007f""#),
    (.string("\u{e0041}\u{202e}"), #""\udb40\udc41\u202e""#),
    (.array([]), "[]"), (.array([.integer(1), .array([.null])]), "[1,[null]]"),
    (.object([:]), "{}"), (.object(["x": .object(["y": .string("z")])]), #"{"x":{"y":"z"}}"#),
    (.optional(String?.none), "null"), (.optional("a"), #""a""#),
  ]

  @Test(arguments: values) func valuesAreWrittenAsJSONWritesThem(value: JSONValue, text: String) throws {
    let object: JSONObject = ["v": value]
    #expect(object.text == #"{"v":\#(text)}"#)
    #expect(try JSONReading.dictionary(object.text).count == 1)
  }

  @Test func noTextBreaksALine() {
    let everything = (0...0x2fff).compactMap { Unicode.Scalar($0) }.map(String.init).joined()
    let line = (["k": .string(everything)] as JSONObject).line
    #expect(line.unicodeScalars.filter { $0 == "\n" || $0.value == 0x2028 || $0.value == 0x85 }.count == 1)
    #expect(line.hasSuffix("}\n"))
  }

  @Test(arguments: [
    "\u{1b}[31mred\u{1b}[0m", "\u{1b}]0;title\u{7}", "\u{9b}31m", "two\r\nlines", "nul\0byte", "\u{202e}gpj",
    "\u{2066}a\u{2069}", "\u{200b}\u{feff}", "\u{e0041}", "\u{2028}", "\u{fffe}",
  ])
  func nastyTextIsValidAndQuiet(text: String) throws {
    let object: JSONObject = ["text": .string(text)]
    #expect(!object.text.unicodeScalars.contains { SafeText.isDangerous($0) })
    #expect(try JSONReading.dictionary(object.text)["text"] as? String == text)
  }
}

/// Somebody else's JSON reader, to check our writer with.
enum JSONReading {
  static func dictionary(_ text: String) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
  }
}
