import Testing

@testable import Text

/// Hosts as settings name them.
@Suite(.timeLimit(.minutes(10)))
struct HostTextTests {
  @Test(
    arguments: [
      ("img.example.com", "img.example.com", nil), ("img.example.com:8080", "img.example.com", 8080),
      ("10.0.0.1:1", "10.0.0.1", 1), ("::1", "::1", nil), ("[::1]", "::1", nil), ("[::1]:443", "::1", 443),
      ("[a]", "a", nil), ("fe80::1:2", "fe80::1:2", nil),
    ] as [(String, String, UInt16?)])
  func aNameAndAPortAreFound(text: String, name: String, port: UInt16?) throws {
    let host = try #require(HostText(text[...]))
    #expect(host.name == name && host.port == port && host.isPlain)
  }

  @Test(arguments: ["", ":80", "a:", "a:b", "a:65536", "[::1", "[::1]x", "[::1]:", "[]", "[::1]:x"])
  func aWrongPortOrBracketIsRefused(text: String) { #expect(HostText(text[...]) == nil) }

  @Test(arguments: ["a/b", "A", "a b", "ä", "::g", "*.a", "a?"])
  func otherCharactersAreNotPlain(text: String) throws {
    #expect(try !#require(HostText(text[...])).isPlain)
  }
}
