import Foundation
import TestSupport
import Testing

@testable import Text

@Suite("URLs as keys hold them", .timeLimit(.minutes(10)))
struct URLTextTests {
  @Test(
    arguments: [
      ("https://example.com/a.png", false), ("HTTP://Example.com:80/a?b=%c3#d", false),
      ("file:///tmp/a.png", false), ("data:image/png;base64,AA==", false), ("", nil), ("http://a b/c", nil),
      ("https://example.com/a b", true), ("https://example.com/\u{e9}", true),
      ("https://example.com/a#b#c", true), ("https://example.com/100%", true),
    ] as [(String, Bool?)])
  func aChangedTextIsReported(text: String, repaired: Bool?) {
    #expect(URLText(text)?.wasRepaired == repaired)
  }

  @Test(arguments: [
    "https://example.com", "http://a/", "https://a.b-c.example:8443/p/1.jpg?w=1&h=2,3#top", "HTTPS://A/%20",
    "http://1.2.3.4/a;b=c@d!$&'()*+~_-.", "http://a?b", "http://a#b", "http://a:/",
  ])
  func anOrdinaryAddressNeedsNoURL(text: String) {
    #expect(URLText.isPlainWebAddress(text))
  }

  @Test(arguments: [
    "", "http", "http://", "http:///a", "https:/a", "ftp://a/b", "http://a b", "http://a/%2", "http://a/%zz",
    "http://a/[", "http://a/#b#c", "http://u@a/", "http://a:8x/", "http://[::1]/", "http://\u{e9}/",
    "http://a/\u{e9}", "http://a/\0", "http://a/b|c",
  ])
  func aDoubtfulAddressIsLeftToFoundation(text: String) {
    #expect(!URLText.isPlainWebAddress(text))
  }

  @Test(arguments: [
    "http://a*b", "http://a:8*", "http://a/*", "http://a/?*b", "http://a/#*b", "http://a/%4*", "*ttp://a",
  ])
  func noByteAnywhereIsPlainUnlessFoundationKeepsIt(pattern: String) {
    for byte in UInt8(0)...127 {
      let text = pattern.replacing("*", with: String(UnicodeScalar(byte)), maxReplacements: 1)
      guard URLText.isPlainWebAddress(text) else { continue }
      #expect(URL(string: text)?.absoluteString == text)
    }
  }

  /// What passes without a URL must be exactly what a URL would have left alone. Pieces that matter
  /// to the grammar are drawn more often than chance would.
  @Test func theShortWayAgreesWithFoundation() {
    var random = SeededGenerator(state: 7)
    let heads = ["http://", "https://", "HTTP://", "http:/", "http:", "file://", ""]
    let pieces = [
      "a", "Z9", "example.com", "xn--bcher-kva", "-", ".", "..", "/", "//", ":", ":80", ":99999999999", "?",
      "#",
      "%", "%20", "%C3%a9", "%0", "[", "]", "@", " ", "|", "\u{e9}", "e\u{301}", "\\", "\"", "{", "\0",
      "\u{7f}",
      "~!$&'()*+,;=", "_",
    ]
    var plain = 0
    for _ in 0..<100_000 {
      let count = Int.random(in: 0...7, using: &random)
      let body = (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
      let text = heads[Int.random(in: 0..<heads.count, using: &random)] + body
      guard URLText.isPlainWebAddress(text) else { continue }
      plain += 1
      #expect(URL(string: text)?.absoluteString == text)
    }
    #expect(plain > 1_500)
  }
}
