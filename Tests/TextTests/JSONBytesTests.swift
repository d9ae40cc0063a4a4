import Testing

@testable import Text

@Suite(.timeLimit(.minutes(10)))
struct JSONBytesTests {
  @Test(arguments: [
    ("plain é🙂", #""plain é🙂""#), ("\"\\\n\r\t", #""\"\\\n\r\t""#),
    ("\u{1b}[31m\u{7f}\u{9b}", #""\u001b[31m\u007f\u009b""#), ("\u{202e}\u{2028}", #""\u202e\u2028""#),
    ("##[error]###vso[x # #[", ##""#\u0023[error]#\u0023#vso[x # #[""##),
    ("\u{e0001}", #""\udb40\udc01""#),
  ])
  func aStringIsSpelledSoThatNoTerminalActsOnIt(text: String, spelled: String) {
    var json = JSONBytes()
    json.string(text)
    #expect(json.text == spelled)
    #expect(JSONBytes.inert(spelled) == spelled)
  }

  @Test func theJSONOfAnotherWriterIsMadeHarmless() {
    #expect(JSONBytes.inert("{\"a\":\"\u{9b}é\u{202e}\"}") == #"{"a":"\u009bé\u202e"}"#)
  }

  @Test func numbersAreWholeOrNull() {
    var json = JSONBytes()
    json.integer(Int64.min)
    json.raw(",")
    json.integer(UInt64.max)
    json.raw(",")
    json.number(-0.5)
    json.raw(",")
    json.number(.infinity)
    #expect(json.text == "-9223372036854775808,18446744073709551615,-0.5,null")
  }
}
