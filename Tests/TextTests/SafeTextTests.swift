import Testing

@testable import Text

@Suite(.timeLimit(.minutes(10))) struct SafeTextTests {
  /// What strangers put into URLs, paths and headers, and what is shown of it.
  static let nasty: [(String, String)] = [
    ("\u{1b}[31mred\u{1b}[0m", "\\u{1b}[31mred\\u{1b}[0m"),
    ("\u{1b}]0;title\u{7}", "\\u{1b}]0;title\\u{7}"),
    ("\u{1b}]8;;http://evil\u{1b}\\text", "\\u{1b}]8;;http://evil\\u{1b}\\text"),
    ("\u{1b}[2J\u{1b}[H", "\\u{1b}[2J\\u{1b}[H"),
    ("\u{1b}Pq", "\\u{1b}Pq"),
    ("\u{9b}31m", "\\u{9b}31m"),
    ("\u{9d}0;x\u{9c}", "\\u{9d}0;x\\u{9c}"),
    ("over\rwritten", "over\\rwritten"),
    ("two\nlines", "two\\nlines"),
    ("two\r\nlines", "two\\r\\nlines"),
    ("tab\tbed", "tab\\tbed"),
    ("back\u{8}\u{8}space", "back\\u{8}\\u{8}space"),
    ("nul\0byte", "nul\\u{0}byte"),
    ("form\u{c}feed\u{b}", "form\\u{c}feed\\u{b}"),
    ("del\u{7f}", "del\\u{7f}"),
    ("shift\u{e}out\u{f}", "shift\\u{e}out\\u{f}"),
    ("next\u{85}line", "next\\u{85}line"),
    ("line\u{2028}separator", "line\\u{2028}separator"),
    ("paragraph\u{2029}separator", "paragraph\\u{2029}separator"),
    ("photo\u{202e}gpj.exe", "photo\\u{202e}gpj.exe"),
    ("\u{202a}a\u{202b}b\u{202c}c\u{202d}d", "\\u{202a}a\\u{202b}b\\u{202c}c\\u{202d}d"),
    ("\u{2066}a\u{2067}b\u{2068}c\u{2069}", "\\u{2066}a\\u{2067}b\\u{2068}c\\u{2069}"),
    ("\u{200e}l\u{200f}r\u{61c}a", "\\u{200e}l\\u{200f}r\\u{61c}a"),
    ("zero\u{200b}width\u{200d}join", "zero\\u{200b}width\\u{200d}join"),
    ("\u{feff}mark", "\\u{feff}mark"),
    ("soft\u{ad}hyphen", "soft\\u{ad}hyphen"),
    ("tag\u{e0041}s\u{e0001}", "tag\\u{e0041}s\\u{e0001}"),
    ("word\u{2060}joiner", "word\\u{2060}joiner"),
    ("non\u{fffe}character", "non\\u{fffe}character"),
    ("::error file=a::\n::stop-commands::", "::error file=a::\\n::stop-commands::"),
    ("##[error]x ##[stop]", "#\\u{23}[error]x #\\u{23}[stop]"),
    ("a###[b", "a##\\u{23}[b"), ("##vso[task.x]\n", "#\\u{23}vso[task.x]\\n"), ("##VSO[x", "#\\u{23}VSO[x"),
    ("\u{fff9}ruby\u{fffb}", "\\u{fff9}ruby\\u{fffb}"),
    ("e\u{301}\u{1b}c", "e\u{301}\\u{1b}c"),
  ]

  @Test(arguments: nasty) func nastyTextIsShownAsVisibleEscapes(text: String, shown: String) {
    #expect(SafeText.escape(text) == shown)
    #expect(!shown.unicodeScalars.contains { $0.properties.generalCategory == .control })
    #expect(SafeText.escape(shown) == shown, "what is safe stays as it is")
  }

  @Test(arguments: [
    "", "plain", "https://example.com/a?b=c#d", "naïve café", "日本語", "😀", "Ωß — …", "\\u{1b}",
  ])
  func harmlessTextIsUnchanged(text: String) {
    #expect(SafeText.escape(text) == text)
  }

  @Test func tabsMayStay() {
    #expect(SafeText.escape("a\tb\u{1b}", keepingTabs: true) == "a\tb\\u{1b}")
  }

  @Test func aLineBeginsWithNoCommand() {
    #expect(SafeText.lineStart("::error::x") == "\\u{3a}:error::x")
    #expect(SafeText.lineStart(" \t::error") == " \t\\u{3a}:error")
    #expect(SafeText.lineStart("a::b :c ##x [y]") == "a::b :c ##x [y]")
  }

  @Test func longTextLosesItsMiddle() {
    #expect(SafeText.escape("abcdefghij", limit: 10) == "abcdefghij")
    #expect(SafeText.escape("abcdefghijk", limit: 10) == "abcde…hijk")
    #expect(SafeText.escape("\u{1b}\u{1b}\u{1b}", limit: 8) == "\\u{1…1b}")
    #expect(SafeText.escape(String(repeating: "x", count: 1_000_000), limit: 5) == "xx…xx")
    #expect(SafeText.escape("abcdef", limit: 0).count == 3)
  }
}
