import JobSupport
import Testing

@testable import Pictures

/// Each line is the fourth of a job that is right but for it.
@Suite(.timeLimit(.minutes(10)))
struct JobFileMistakeTests {
  struct Case: CustomTestStringConvertible {
    var line: String
    var column: Int
    var message: String
    var help: String?

    init(_ line: String, _ column: Int, _ message: String, _ help: String? = nil) {
      (self.line, self.column, self.message, self.help) = (line, column, message, help)
    }

    var testDescription: String { line }
  }

  static let sums: [Case] = [
    Case("https://e.com/1 resize(width: 1/0)", 31, "needs a number, not '1/0'"),
    Case("https://e.com/1 resize(width: 1e39)", 31, "needs a number, not '1e39'"),
    Case("https://e.com/1 resize(size: -9e38*9x10)", 30, "needs a size like 44x44"),
    Case("https://e.com/1 resize(width: 1+)", 31, "needs a number, not '1+'"),
    Case("https://e.com/1 resize(size: 2*(3x4)", 23, "is not closed"),
    Case("https://e.com/1 resize(size: 2*/3x4)", 30, "needs a size like 44x44, not '2*/3x4'"),
    Case(
      "https://e.com/1 resize(width: \(String(repeating: "-", count: 50))1)", 31, "needs a number, not"),
  ]

  static let settings: [Case] = [
    Case("polcy automatic", 1, "'polcy' is not a setting", "did you mean 'policy'?"),
    Case("  Scale 2", 3, "'Scale' is not a setting", "did you mean 'scale'?"),
    Case("policy: automatic", 1, "'policy:' is not a setting", "policy automatic"),
    Case("policy:automatic", 1, "cannot have the scheme 'policy'", "a setting has no colon"),
    Case("partial a.job", 1, "'partial' is not a setting", "names everything in its cache"),
    Case("scale=2", 1, "'scale=2' is not a setting", "scale 2 3"),
    Case("img.example.com/p/1.jpg card", 1, "is neither a URL nor a path", "begins with https://"),
    Case("art/1.png", 1, "is neither a URL nor a path", "a path with /"),
    Case("hello", 1, "'hello' is not a setting", "a line begins with"),
    Case("world", 1, "'world' is not a setting", "policy"),
    Case("client nuke 12", 1, "'client' is given twice", "line 1"),
    Case("cache x", 1, "'cache' is given twice", "line 2"),
    Case("policy", 1, "'policy' needs a value", "policy automatic"),
    Case("policy # automatic", 1, "'policy' needs a value"),
    Case("policy automatc", 8, "no policy is called 'automatc'", "did you mean 'automatic'?"),
    Case("policy nothing", 8, "no policy is called", "storeAll, reachable"),
    Case("policy storeAll now", 17, "unexpected 'now'"),
    Case("scale 2 0", 9, "number above 0, not '0'"),
    Case("scale -1", 7, "number above 0, not '-1'"),
    Case("scale 2,3", 7, "number above 0, not '2,3'", "scale 2 3"),
    Case("scale inf", 7, "not 'inf'"),
    Case("per-host 0", 10, "per-host, if not auto, is a whole number from 1 to 1024, not '0'"),
    Case("encode webm", 8, "no encoder is called 'webm'", "did you mean 'webp'?"),
    Case("encode webp(quality: 101)", 22, "'quality:' needs a whole number from 1 to 100, not '101'"),
    Case("encode webp(lossless: true, fitBytes: 9K)", 29, "lossless data has no quality", "take one"),
    Case("encode png(fitBytes: 9K)", 12, "png has no 'fitBytes'", "compression:, palette:"),
    Case("encode jpeg(chroma: 422)", 21, "'chroma:' needs auto or 420 or 444, not '422'"),
    Case("chain a = circle encode=tga", 25, "no encoder is called 'tga'"),
    Case("encode jepg", 8, "no encoder is called 'jepg'", "did you mean 'jpeg'?"),
    Case("encode jpeg(quality: 0)", 22, "1 to 100, not '0'"),
    Case("encode jpeg(quality: 80.5)", 22, "'quality:' needs a whole number from 1 to 100, not '80.5'"),
    Case("encode jpeg(qualty: 80)", 13, "jpeg has no 'qualty'", "did you mean 'quality'?"),
    Case("encode png(quality: 80)", 12, "png has no 'quality'", "it takes compression"),
    Case("encode jpeg 80", 13, "unexpected '80'"),
    Case("strip-query a=b", 13, "not the name of a query item"),
    Case("chain", 1, "'chain' needs a value"),
    Case("chain = circle", 7, "a chain's name is expected here"),
    Case("chain 2x = circle", 7, "a chain's name is expected here"),
    Case("chain a\(String(repeating: "\u{316}", count: 31)) = circle", 8, "more than 30 combining marks"),
    Case("chain a circle", 9, "'=' is expected"),
    Case("chain a =", 7, "the chain 'a' is empty"),
    Case("chain a = circle circle", 18, "unexpected 'circle'", "joined with '|'"),
    Case("chain card = circle", 7, "the chain 'card' is given twice", "line 3"),
    Case("chain resize = circle", 7, "'resize' cannot name a chain"),
    Case("chain original = circle", 7, "'original' cannot name a chain"),
    Case("chain policy = circle", 7, "'policy' cannot name a chain"),
    Case("chain circle = circle", 7, "'circle' cannot name a chain"),
    Case("chain reload = circle", 7, "'reload' cannot name a chain"),
    Case("chain a = a", 11, "the chain 'a' contains itself"),
    Case("allow-private https://h/", 15, "is not a valid host name", "no scheme"),
    Case("allow-private b\u{fc}cher.example", 15, "is not ASCII", "write xn--bcher-kva.example"),
    Case("allow-private *.b\u{fc}cher.example", 15, "is not ASCII", "write *.xn--bcher-kva.example"),
    Case("allow-private media.intranet:x", 15, "is not a valid host name"),
    Case("default card reload", 14, "'default' takes chains, and 'reload' is an option"),
    Case("default crad", 9, "no chain or processor is called 'crad'", "did you mean 'card'?"),
    Case("include", 1, "'include' needs a value", "include urls.txt"),
    Case("include \"no\nclosed", 9, "this quote is not closed"),
    Case("include ./nowhere.txt", 9, "cannot be read: there is no such file", "relative to the job file"),
    Case("include ./nowhere.txt id=1", 23, "'id=' is for one source"),
    Case("style builder", 1, "'style' belongs to kingfisher, and the client is nuke"),
    Case("path-extension png", 1, "belongs to kingfisher"),
    Case("header", 1, "'header' needs a value"),
    Case("header e.com", 13, "a header's name and ':' are expected"),
    Case("header Accept: image/*", 8, "the host that gets the header is missing"),
    Case("header https://e.com Accept: a", 8, "is not a valid host name"),
    Case("header e.com A b: c", 14, "a header's name and ':' are expected"),
    Case("header e.com Accept:", 14, "the header has no value"),
    Case("header e.com X-Key: a${NOT_THERE}", 22, "the environment variable NOT_THERE is not set", "export"),
    Case("header e.com X-Key: ${EMPTY}", 21, "the environment variable EMPTY is empty"),
    Case("header e.com X-Key: ${LINES}", 21, "the environment variable LINES holds a line break"),
    Case("header e.com X-Key: ${1A}", 21, "'${' begins the name"),
    Case("header e.com X-Key: ${A", 21, "'${' begins the name"),
  ]

  static let entries: [Case] = [
    Case("ftp://e.com/1.jpg", 1, "cannot have the scheme 'ftp'", "http, https, file and data"),
    Case("file:///srv/caf%E9.jpg", 1, "are not UTF-8", "%C3%A9"),
    Case("~/no-such-picture.jpg card", 1, "~ is the home folder", "written ./~"),
    Case("https:///1.jpg card", 1, "this URL has no host"),
    Case("https://:80/1.jpg card", 1, "no host"),
    Case("https://e.com:port/1.jpg", 1, "this is not a URL"),
    Case("file://srv/1.png", 1, "a file URL names no host", "file:///srv"),
    Case("data:image/png;base64", 1, "a data URL needs a comma"),
    Case("\"https://e.com/1.jpg card", 1, "this quote is not closed"),
    Case("\"art/1.png\"", 1, "'art/1.png' is neither a URL nor a path"),
    Case("\"https://e.com/1.jpg\"card", 22, "unexpected 'card'", "white space"),
    Case("https://e.com/1.jpg crad", 21, "no chain or processor is called 'crad'", "did you mean 'card'?"),
    Case("https://e.com/1.jpg relod", 21, "is called 'relod'", "did you mean 'reload'?"),
    Case("https://e.com/1.jpg zzzzzzzzz", 21, "is called 'zzzzzzzzz'", "define it: chain zzzzzzzzz ="),
    Case("/1.png resise(width: 3)", 8, "is called 'resise'", "did you mean 'resize'?"),
    Case("/1.png resizing(referenceSize: 3x3)", 8, "'resizing' is Kingfisher's", "Nuke has resize"),
    Case("/1.png blackWhite", 8, "'blackWhite' is Kingfisher's"),
    Case("/1.png card(width: 3)", 8, "'card' is a chain of this job and takes no arguments"),
    Case("/1.png card as \"x\"", 16, "'as' belongs to a processor, and 'card' is not one"),
    Case("/1.png original as \"x\" | circle", 8, "'original' stands alone"),
    Case("/1.png card | original", 15, "'original' stands alone"),
    Case("/1.png circle | thumbnail(maxPixelSize: 3)", 17, "a thumbnail can only come first"),
    Case("/1.png custom(\"a\") as \"b\"", 23, "has its identifier already"),
    Case("/1.png circle as", 15, "'as' needs an identifier"),
    Case("/1.png circle as x", 15, "'as' needs an identifier"),
    Case("/1.png card |", 13, "nothing follows this '|'"),
    Case("/1.png | card", 8, "a chain or a processor is expected, not '|'"),
    Case("/1.png card || circle", 14, "a chain or a processor is expected"),
    Case("/1.png circle)", 14, "this ')' closes nothing"),
    Case("/1.png circle(", 14, "this '(' is not closed"),
    Case("/1.png resize(width: 3 # no", 24, "a ',' or ')' is expected here"),
    Case("/1.png resize(width: 3,", 14, "this '(' is not closed"),
    Case("/1.png resize(width: , unit: points)", 22, "a value is missing here"),
    Case("/1.png resize(width 3)", 21, "a ',' or ')' is expected here"),
    Case("/1.png resize", 8, "resize needs 'size:', 'width:' or 'height:'", "resize(size: 44x44)"),
    Case("/1.png resize(320)", 15, "takes no argument without a name"),
    Case("/1.png resize(widht: 320)", 15, "resize has no 'widht'", "did you mean 'width'?"),
    Case("/1.png resize(size: 320)", 21, "'size:' needs a size like 44x44, not '320'"),
    Case("/1.png resize(size: 3x)", 21, "not '3x'"),
    Case("/1.png resize(width: 0x3)", 22, "'width:' needs a number, not '0x3'"),
    Case("/1.png resize(width: nan)", 22, "not 'nan'"),
    Case("/1.png resize(width: 1e999)", 22, "not '1e999'"),
    Case("/1.png resize(width: \"3\")", 22, "needs a number, not text in quotes"),
    Case("/1.png resize(width: (a: 3))", 22, "needs a number, not a group"),
    Case("/1.png resize(width: 3, width: 4)", 25, "'width' is given twice"),
    Case("/1.png resize(width: 3, crop: true)", 25, "resize(width:) has no 'crop'"),
    Case("/1.png resize(size: 3x3, height: 4)", 26, "resize(size:) has no 'height'"),
    Case("/1.png resize(width: 3, upscale: 1)", 34, "'upscale:' needs true or false, not '1'"),
    Case(
      "/1.png resize(width: 3, unit: pixel)", 31, "points or pixels, not 'pixel'", "did you mean 'pixels'?"),
    Case("/1.png resize(size: 3x3, contentMode: fill)", 39, "aspectFill or aspectFit, not 'fill'"),
    Case("/1.png roundedCorners", 8, "roundedCorners needs 'radius:'", "radius: 44"),
    Case("/1.png gaussianBlur(8)", 21, "takes no argument without a name", "write radius: before it"),
    Case("/1.png gaussianBlur(radius: 8.5)", 29, "needs a whole number, not '8.5'"),
    Case("/1.png gaussianBlur(radius: 99999999999999999999)", 29, "needs a whole number"),
    Case("/1.png circle(border: #FF0000)", 23, "needs a group like (color"),
    Case("/1.png circle(border: (width: 2))", 23, "border needs 'color:'"),
    Case("/1.png circle(border: (color: systemRed))", 31, "needs a colour: #RRGGBB", nil),
    Case("/1.png circle(border: (color: .gren))", 31, "needs a colour: #RRGGBB", "did you mean 'green'?"),
    Case("/1.png resize(size: CGSize(width: 4))", 21, "needs a size like 44x44", nil),
    Case("/1.png circle(border: (color: #FF00))", 31, "needs a colour"),
    Case("/1.png circle(border: (color: #+F0000))", 31, "needs a colour"),
    Case("/1.png circle(border: (color: rgba(1, 0, 0)))", 31, "rgba(R, G, B, A) has 4 components, not 3"),
    Case("/1.png circle(border: (color: gray(a, 0)))", 36, "a colour's component is a number"),
    Case(
      "/1.png circle(border: (color: #FF0000, widht: 2))", 40, "border has no 'widht'",
      "did you mean 'width'?"),
    Case("/1.png coreImage(name: (a: 1))", 24, "needs a name"),
    Case("/1.png coreImage(name: CIx, identifier: y)", 41, "needs text in double quotes, not 'y'"),
    Case("/1.png custom(x)", 15, "custom needs one identifier in double quotes"),
    Case("/1.png custom", 8, "custom needs one identifier in double quotes"),
    Case("/1.png custom(\"a\\n\")", 17, "a backslash stands before a quote or a backslash only"),
    Case("/1.png thumbnail", 8, "thumbnail needs 'maxPixelSize:' or 'size:'"),
    Case(
      "/1.png thumbnail(maxPixelSize: 3, unit: pixels)", 35,
      "thumbnail(maxPixelSize:) has no 'unit'"),
    Case(
      "/1.png thumbnail(maxPixelSze: 3)", 18, "thumbnail has no 'maxPixelSze'", "did you mean 'maxPixelSize'?"
    ),
    Case("/1.png circle(a: ((((((((((1))))))))))", 25, "nested too deeply"),
    Case("/1.png card prority=high", 13, "no option is called 'prority='", "did you mean 'priority='?"),
    Case("/1.png card zzzzzz=high", 13, "no option is called 'zzzzzz='", "embedded=, style= (kingfisher), "),
    Case("/1.png card priority=hgh", 22, "no priority is called 'hgh'", "did you mean 'high'?"),
    Case("/1.png card priority=high priority=low", 27, "'priority' is given twice"),
    Case("/1.png reload card reload", 20, "'reload' is given twice"),
    Case("/1.png reload=1", 8, "'reload' takes no value", "write reload alone"),
    Case("/1.png id", 8, "'id' needs a value", "id=product-2"),
    Case("/1.png id= card", 11, "a value is missing behind 'id='"),
    Case("/1.png id=\"a\"b", 14, "unexpected 'b'"),
    Case("/1.png reload offline", 15, "'reload' and 'offline' exclude each other"),
    Case("/1.png sha256=12", 15, "64 hexadecimal digits"),
    Case("/1.png expires=7d", 16, "'expires=' has no meaning here"),
    Case("/1.png encode=gif", 15, "no encoder is called 'gif'"),
    Case("/1.png encode=jpeg(quality: 101)", 29, "1 to 100, not '101'"),
    Case("\t/1.png\tcrad", 9, "is called 'crad'"),
    Case("\"/ü😀.png\" crad", 11, "is called 'crad'"),
    Case("/1.png c\u{7}ard", 9, "the control character U+0007"),
    Case("/1.png c\0ard", 9, "a NUL byte"),
    Case("/1.png a\rb", 9, "the control character U+000D"),
  ]

  @Test("A mistake is shown at its place with what would be right", arguments: settings + sums + entries)
  func mistake(_ example: Case) throws {
    let line =
      example.line.split(separator: "\n", omittingEmptySubsequences: false).first.map(String.init) ?? ""
    let job = try check(example, JobFileReading.head, line + "\n/last.png card")
    #expect(job.entries.last?.url == "file:///last.png")
  }

  /// A job with one error, in the first line of a text.
  private func check(_ example: Case, _ head: String, _ text: String) throws -> JobFileReading {
    let job = JobFileReading(head + text, environment: ["EMPTY": "", "LINES": "a\nb"])
    try #require(job.errors.count == 1, "\(job.diagnostics.rendered())")
    let error = job.errors[0]
    #expect(error.file == "test.job" && error.line == head.count { $0 == "\n" } + 1)
    #expect(error.column == example.column, "\(error.rendered())")
    #expect(error.message.contains(example.message), "\(error.rendered())")
    if let help = example.help { #expect(error.help?.contains(help) == true, "\(error.rendered())") }
    return job
  }

  @Test(
    "The client's name and version are checked",
    arguments: [
      Case("client nuke", 12, "the client's version is missing"),
      Case("client nuek 12", 8, "no client is called 'nuek'", "did you mean 'nuke'?"),
      Case("client glide 4", 8, "no client is called 'glide'", "nuke 12"),
      Case("client nuke 9", 13, "not supported"),
      Case("client nuke 15", 13, "is not a release that is known here"),
      Case("client nuke 12.09.0", 13, "is not a version of Nuke"),
      Case("client nuke twelve", 13, "not a version of Nuke"),
      Case("client nuke 12 13", 16, "unexpected '13'", "client nuke 12"),
      Case("client kingfisher", 18, "the client's version is missing", "kingfisher 8"),
      Case("client kingfisher 4.10.1", 19, "Kingfisher 4.10.1 is not supported", "5 to 8"),
      Case("client kingfisher 9", 19, "is not a release that is known here"),
      Case("client kingfisher 8.0-alpha", 19, "not a version of Kingfisher"),
    ])
  func client(_ example: Case) throws {
    #expect(try check(example, "cache out\n", example.line + "\n/1.png original").settings == nil)
  }

  @Test func aJobNeedsAClientACacheAndASource() {
    let job = JobFileReading("# nothing\n")
    #expect(
      job.errors.map(\.message) == [
        "the job names no cache folder", "the job names no client", "the job names no source",
      ])
    #expect(job.settings == nil)
  }

  @Test func allMistakesComeInOneGoSorted() {
    let job = JobFileReading(
      """
      client nuke 12
      polcy automatic
      chain x = resise(width: 3)
      cache out
      https://e.com/1.jpg crad circel resize(widht: 3, upscale: maybe)
      polcy automatic
      https://e.com/2.jpg x
      ftp://e.com/3.jpg
      """)
    #expect(job.errors.map(\.line) == [2, 3, 5, 5, 5, 6, 8])
    #expect(job.errors.map(\.column).dropFirst(2).prefix(3) == [21, 26, 40])
  }
}
