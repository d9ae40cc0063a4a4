import ClientKit
import Foundation
import JobSupport
import Planning
import SDWebImageCache
import Testing
import Text

@testable import ClientRegistry

/// SDWebImage's words in a job, and what a plan makes of them.
@Suite("A job for SDWebImage", .timeLimit(.minutes(10)))
struct SDWebImageJobTests {
  static let red = SDImageTransformer.Color(red: 1, green: 0, blue: 0)

  private func plan(_ lines: String, client: String = "sdwebimage 5") -> Preheat.Planned {
    Preheat.plan("client \(client)\ncache out\n\(lines)")
  }

  private func rendition(_ lines: String, client: String = "sdwebimage 5") throws -> PlannedRendition {
    let planned = plan(lines, client: client)
    #expect(planned.errors == [])
    return try #require(planned.plan?.renditions.first { _ in true })
  }

  @Test(
    arguments: [
      ("resize(size: 100x50.5)", [.resizing(size: .init(width: 100, height: 50.5), scaleMode: .fill)]),
      (
        "resize(size: CGSize(width: 1, height: 2), scaleMode: .aspectFill)",
        [.resizing(size: .init(width: 1, height: 2), scaleMode: .aspectFill)]
      ),
      (
        "resize(size: 1x2, scaleMode: 1)",
        [.resizing(size: .init(width: 1, height: 2), scaleMode: .aspectFit)]
      ),
      ("crop(rect: (0, -1, 50, 60))", [.cropping(rect: .init(x: 0, y: -1, width: 50, height: 60))]),
      (
        "crop(rect: CGRect(x: 1, y: 2, width: 3, height: 4))",
        [.cropping(rect: .init(x: 1, y: 2, width: 3, height: 4))]
      ),
      (
        "roundCorner(radius: 8)",
        [.roundCorner(radius: 8, corners: .allCorners, borderWidth: 0, borderColor: nil)]
      ),
      (
        "roundCorner(radius: 8, corners: topLeft+bottomRight, borderWidth: 2, borderColor: red)",
        [.roundCorner(radius: 8, corners: [.topLeft, .bottomRight], borderWidth: 2, borderColor: red)]
      ),
      ("flip(horizontal: true)", [.flipping(horizontal: true, vertical: false)]),
      ("rotate(angle: 0.5, fitSize: false)", [.rotation(angle: 0.5, fitSize: false)]),
      ("rotate(angle: -1)", [.rotation(angle: -1, fitSize: true)]),
      ("tint(color: #FF0000)", [.tint(color: red, blendMode: nil)]),
      ("tint(color: red, blendMode: sourceAtop)", [.tint(color: red, blendMode: .sourceAtop)]),
      ("tint(color: red, blendMode: 27)", [.tint(color: red, blendMode: .plusLighter)]),
      ("blur(radius: 5) | filter(name: CISepiaTone)", [.blur(radius: 5), .filter(name: "CISepiaTone")]),
      ("custom(\"a-b(c)\")", [.custom(key: "a-b(c)")]),
      (
        "blur(radius: 5) as \"soft\"",
        [SDImageTransformer(ProcessorCall("blur", ["radius": .number(5)], as: "soft"))]
      ),
    ] as [(String, [SDImageTransformer])])
  func transformersAreSpelledAsTheAppSpellsThem(text: String, transformers: [SDImageTransformer]) {
    let (chain, errors) = JobFileReading.chain(text, client: "sdwebimage 5")
    #expect(errors.map(\.message) == [])
    #expect(chain == Chain(transformers.map(\.call)))
  }

  @Test func aThumbnailSizeComesFirst() {
    let (chain, errors) = JobFileReading.chain(
      "thumbnail(size: 200x100, preserveAspectRatio: false) | blur(radius: 5)", client: "sdwebimage 5")
    #expect(errors.isEmpty)
    let thumbnail = SDImageThumbnail(width: 200, height: 100, preservesAspectRatio: false)
    #expect(chain == Chain([thumbnail.call, SDImageTransformer.blur(radius: 5).call]))
    let late = JobFileReading.chain("blur(radius: 5) | thumbnail(size: 2x2)", client: "sdwebimage 5").errors
    #expect(late.map(\.message) == ["a thumbnail can only come first"])
  }

  @Test(
    arguments: [
      ("sdwebimage 4", "blur(radius: 1)", "SDWebImage 4 is not supported"),
      ("sdwebimage 6.1", "blur(radius: 1)", "SDWebImage 6.1 is not a release that is known"),
      ("sdwebimage 6", "blur(radius: 1)", "SDWebImage 6 is not a release that is known here"),
      ("sdwebimage 5", "resize(size: 1x1, scaleMode: aspectFil)", "not 'aspectFil'"),
      ("sdwebimage 5", "resize(size: 1x1, width: 1)", "resize has no 'width'"),
      ("sdwebimage 5", "roundCorner(radius: 1, corners: topLeft+botomLeft)", "not 'topLeft+botomLeft'"),
      ("sdwebimage 5", "crop(rect: (1, 2, 3))", "a rectangle like (0, 0, 100, 50)"),
      ("sdwebimage 5", "tint(color: rgba(2, 0, 0, 1))", "a colour component lies outside 0 to 1"),
      ("sdwebimage 5.19.7", "tint(color: red, blendMode: copy)", "it came with 5.20.0"),
      ("sdwebimage 5.4", "thumbnail(size: 1x1)", "it came with 5.5.0"),
      ("sdwebimage 5.5.0", "thumbnail(size: 1x1) | blur(radius: 1)", "leaves the thumbnail out of the key"),
      ("sdwebimage 5.6.1", "thumbnail(size: 1x1) | custom(\"a\")", "leaves the thumbnail out of the key"),
      ("sdwebimage 5", "custom(\"\")", "an empty transformerKey"),
      ("sdwebimage 5", "circle", "'circle' is Nuke's, and the client is sdwebimage"),
      ("nuke 12", "rotate(angle: 1)", "'rotate' is SDWebImage's, and the client is nuke"),
    ])
  func whatIsWrongIsSaid(client: String, chain: String, message: String) {
    let errors = plan("https://e.com/1.png \(chain)", client: client).errors
    #expect(errors.count == 1 && errors[0].contains(message), "\(errors)")
  }

  @Test func aFilesUrlWithAMarkIsRefused() throws {
    let errors = plan("/photos/1.png blur(radius: 1)").errors
    #expect(errors.count == 1 && errors[0].contains("goes into a file's URL in a way that differs"))
    #expect(plan("/photos/1.png original").errors == [])
    #expect(plan("/photos/1.png blur(radius: 1) id=one.png").errors == [])
    #expect(
      try rendition("/photos/noext blur(radius: 1)").key
        == "file:///photos/noext-SDImageBlurTransformer(1.000000)")
  }

  /// Two sources whose keys only differ before a mark normalises them are one entry for the app.
  @Test func marksThatMakeTwoKeysOneAreACollision() {
    let lines = "https://e.com/%7Eu/a.png blur(radius: 1)\nhttps://e.com/~u/a.png blur(radius: 1)"
    #expect(plan(lines).errors == ["this rendition has the same cache key as another one, at test.job:3"])
    #expect(plan(lines.replacing("blur(radius: 1)", with: "original")).errors == [])
  }

  @Test func idsAndStrippedQueriesStandForTheFilter() throws {
    #expect(
      try rendition("https://e.com/1.png?sig=1 blur(radius: 1) id=one").key
        == "one-SDImageBlurTransformer(1.000000)")
    #expect(
      try rendition("strip-query sig\nhttps://e.com/1.png?w=2&sig=1 blur(radius: 1)").key
        == "https://e.com/1-SDImageBlurTransformer(1.000000).png?w=2")
  }

  // MARK: What is stored and found

  @Test(
    arguments: [
      ("5.21.5", "", ["encoded", "original"], "U+p1"), ("5.11.1", "", ["encoded", "original"], "U+p1"),
      ("5.11.0", "", ["encoded"], "U+p1"), ("5.0.0", "", ["encoded"], "U+p1"),
      ("5.21.5", "original-store-cache-type none", ["encoded"], "U+p1"),
      ("5.21.5", "original-store-cache-type memory", ["encoded"], "U+p1"),
      ("5.11.0", "original-store-cache-type all", ["encoded", "original"], "U+p1"),
      ("5.21.5", "store-cache-type none", ["original"], "U"),
      ("5.21.5", "store-cache-type memory\noriginal-query-cache-type none", ["original"], nil),
      ("5.21.5", "store-cache-type none\noriginal-store-cache-type none", [], nil),
    ] as [(String, String, [String], String?)])
  func theRequestsTypesDecideWhatIsStored(
    version: String, settings: String, contents: [String], found: String?
  ) throws {
    let rendition = try rendition(
      "\(settings)\nhttps://e.com/1.png blur(radius: 1)", client: "sdwebimage \(version)")
    #expect(rendition.stores.map(\.content.rawValue) == contents)
    #expect(rendition.lookup?.part == found)
  }

  /// Up to 5.12.6 only the transformer is left out of the original's key.
  @Test(
    arguments: [
      ("5.21.5", "", ["U+T encoded", "U original"], ["U+T", "U"]),
      ("5.13.0", "", ["U+T encoded", "U original"], ["U+T", "U"]),
      ("5.12.6", "", ["U+T original"], ["U+T"]), ("5.7.0", "", ["U+T original"], ["U+T"]),
      ("5.6.1", "", ["U+T original"], ["U+T"]), ("5.5.0", "", ["U+T original"], ["U+T"]),
      ("5.13.0", " | blur(radius: 1)", ["U+T+p1 encoded", "U original"], ["U+T+p1", "U"]),
      ("5.12.6", " | blur(radius: 1)", ["U+T+p1 encoded", "U+T original"], ["U+T+p1", "U+T"]),
      ("5.11.0", " | blur(radius: 1)", ["U+T+p1 encoded"], ["U+T+p1"]),
    ] as [(String, String, [String], [String])])
  func aThumbnailsOriginalIsThatOfTheRelease(
    version: String, rest: String, stored: [String], asked: [String]
  ) throws {
    let client = SDWebImageClient(version: try SDWebImageVersion(parsing: version))
    let (chain, errors) = JobFileReading.chain(
      "thumbnail(size: 8x8)\(rest)", client: "sdwebimage \(version)")
    #expect(errors.isEmpty)
    let resolved = try #require(chain)
    let form = client.form(of: resolved, scale: 1)
    let storage = client.storage(of: resolved, form: form, sourceClass: 0, options: .none)
    #expect(storage.entries.map { "\($0.key.part) \($0.content)" } == stored)
    #expect(storage.lookups.map(\.part) == asked && form.lookups.map(\.part) == asked)
    #expect(storage.note == nil)
  }

  @Test(arguments: [
    (
      "5.12.6", "thumbnail(size: 8x8)", LookupOutcome.miss,
      "5.12.6 does not look at it for a thumbnail"
    ),
    ("5.12.6", "thumbnail(size: 8x8) | blur(radius: 1)", .miss, "5.12.6 does not look at it for a thumbnail"),
    ("5.12.6", "blur(radius: 1)", .partial, "the app makes the rest"),
    ("5.13.0", "thumbnail(size: 8x8)", .partial, "the app makes the rest"),
    ("5.8.0", "blur(radius: 1)", .miss, "by its original query cache type"),
  ])
  func theOriginalAloneServesWhatAsksForIt(
    version: String, text: String, outcome: LookupOutcome, reason: String
  ) throws {
    let client = SDWebImageClient(version: try SDWebImageVersion(parsing: version))
    let chain = try #require(JobFileReading.chain(text, client: "sdwebimage \(version)").chain)
    let form = client.form(of: chain, scale: 1)
    let finding = client.finding(
      (
        form: form, options: .none,
        steps: form.lookups.map { ($0, $0 == .original ? .present : .absent) }, original: .present, hints: []
      ))
    #expect(finding.outcome == outcome && finding.reason.contains(reason), "\(finding)")
  }

  @Test func theOriginalIsStoredAsItIs() throws {
    let rendition = try rendition("https://e.com/1.png original")
    #expect(rendition.stores.map(\.content) == [.original])
  }

  /// From 5.14.0 on it is stored by both types; before, by that of results alone.
  @Test(
    arguments: [
      ("5.21.7", "store-cache-type memory", true), ("5.14.0", "store-cache-type none", true),
      ("5.13.5", "store-cache-type memory", false), ("5.0.0", "store-cache-type none", false),
      ("5.21.7", "original-store-cache-type none", true),
      ("5.14.0", "original-store-cache-type memory", true),
      ("5.14.0", "store-cache-type none\noriginal-store-cache-type none", false),
      ("5.12.0", "original-store-cache-type none", true),
    ])
  func anOriginalIsStoredByBothTypes(version: String, types: String, isStored: Bool) throws {
    let rendition = try rendition("\(types)\nhttps://e.com/1.png original", client: "sdwebimage \(version)")
    #expect(rendition.stores.map(\.content) == (isStored ? [.original] : []))
    #expect(rendition.found == (isStored ? .exact : .nothing))
  }

  /// 5.21.7 is reported to put a thumbnail that it makes of an original into memory in its place.
  @Test func originalsAloneAreToldWhereThumbnailsTakeTheirPlace() {
    func warnings(_ lines: String, _ client: String) -> [String] {
      Preheat.plan("client \(client)\ncache out\n\(lines)").warnings
    }
    let line = "https://e.com/1.png original"
    for client in ["sdwebimage 5", "sdwebimage 5.21.7"] {
      let found = warnings("\(line)\nhttps://e.com/2.png original", client)
      #expect(found.count == 1 && found[0].contains("in place of an original"), "\(found)")
    }
    #expect(warnings("\(line)\nhttps://e.com/1.png thumbnail(size: 8x8)", "sdwebimage 5.21.7") == [])
    #expect(warnings(line, "sdwebimage 5.21.6") == [] && warnings(line, "nuke 13.2.0") == [])
  }

  @Test(
    arguments: [
      ("5.0.0", "original-store-cache-type disk", "it came with 5.1.0"),
      ("5.7.4", "original-query-cache-type disk", "it came with 5.8.0"),
      ("5", "scale 2 3", "do not hold the scale"), ("5", "store-cache-type dsk", "'dsk'"),
      ("5", "expires 30d", "belongs to kingfisher"),
    ])
  func settingsThatAReleaseLacksAreRefused(version: String, setting: String, message: String) {
    let errors = plan("\(setting)\nhttps://e.com/1.png original", client: "sdwebimage \(version)").errors
    #expect(errors.count == 1 && errors[0].contains(message), "\(errors)")
  }

  @Test(
    arguments: [
      ("https://e.com/1.png resize(size: 4x4)", 1), ("https://e.com/1@2x.png resize(size: 4x4)", 2),
      ("https://e.com/1%403x.png resize(size: 4x4)", 3), ("https://e.com/1@2x.png original", 2),
      ("scale 3\nhttps://e.com/1@2x.png resize(size: 4x4)", 3),
      ("https://e.com/1.png resize(size: 4x4) id=a@2x.png", 2),
    ])
  func theKeySaysTheScaleWhereTheJobDoesNot(lines: String, scale: Double) throws {
    let planned = plan(lines, client: "sdwebimage 5.21.6")
    #expect(planned.warnings == [], "without a scale a point is a pixel, which needs no word")
    #expect(planned.plan?.renditions.first { _ in true }?.scale == scale)
  }

  @Test(
    arguments: [
      ([.present], .exact, "only has to be decoded"),
      ([.absent, .present], .partial, "the app makes the rest"),
      ([.empty, .present], .partial, "is empty and cannot be decoded"),
      ([.absent, .absent], .miss, "is not there"),
      ([.unreadable], .miss, "a folder, a link or a device"),
    ] as [([EntryState], LookupOutcome, String)])
  func aFindingSaysWhy(states: [EntryState], outcome: LookupOutcome, reason: String) {
    let client = SDWebImageClient(version: .latest)
    let chain = Chain([SDImageTransformer.blur(radius: 1).call])
    let form = client.form(of: chain, scale: 1)
    let finding = client.finding(
      (
        form: form, options: .none, steps: Array(zip(form.lookups, states)), original: .absent, hints: []
      ))
    #expect(finding.outcome == outcome && finding.reason.contains(reason), "\(finding)")
  }

  @Test(arguments: [
    ("out/catalog", nil), ("out/com.hackemist.SDImageCache/default", nil),
    ("out/com.hackemist.SDImageCache", "SDImageCache/default"),
    ("out/com.hackemist.SDWebImageCache.default", "SDImageCache/default"),
  ])
  func aFolderThatNoCacheLooksIntoIsNamed(cache: String, hint: String?) {
    let warnings = Preheat.plan("client sdwebimage 5.21.6\ncache \(cache)\nhttps://e.com/1.png").warnings
    #expect(warnings.isEmpty == (hint == nil), "\(warnings)")
    if let hint { #expect(warnings.first?.contains(hint) == true) }
  }

  @Test func repeatedSlashesAreWorthAWord() {
    #expect(plan("https://e.com//1.png blur(radius: 1)").warnings.count == 1)
    #expect(plan("https://e.com//1.png blur(radius: 1) id=1").warnings.isEmpty)
    #expect(plan("https://e.com/1.png?u=a//b blur(radius: 1)").warnings.isEmpty)
    // Decoding the path makes a slash of each.
    #expect(plan("https://e.com/a/%2Fb.png blur(radius: 1)").warnings.count == 1)
    #expect(plan("https://e.com/a%2F%2fb.png blur(radius: 1)").warnings.count == 1)
    #expect(plan("https://e.com/a%2Fb.png?u=%2F%2F blur(radius: 1)").warnings.isEmpty)
  }
}
