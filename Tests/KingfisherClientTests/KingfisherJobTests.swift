import ClientKit
import Foundation
import JobFile
import JobSupport
import Syntax
import Testing
import Text

@testable import ClientRegistry
@testable import KingfisherCache

/// Kingfisher's words in a job.
@Suite("A job for Kingfisher", .timeLimit(.minutes(10)))
struct KingfisherJobTests {
  static let black = BuiltInProcessor.Color.gray(white: 0, alpha: 1)
  static let red = BuiltInProcessor.Color.rgba(red: 1, green: 0, blue: 0, alpha: 1)

  @Test(
    arguments: [
      ("original", []), ("default", [DefaultImageProcessor.default]),
      ("default | blackWhite", [DefaultImageProcessor.default, BlackWhiteProcessor()]),
      (
        "resizing(referenceSize: 100x50.5)",
        [ResizingImageProcessor(referenceSize: .init(width: 100, height: 50.5), mode: .none)]
      ),
      (
        "resizing(referenceSize: 1x2, mode: aspectFill)",
        [ResizingImageProcessor(referenceSize: .init(width: 1, height: 2), mode: .aspectFill)]
      ),
      ("downsampling(size: 8x9)", [DownsamplingImageProcessor(size: .init(width: 8, height: 9))]),
      (
        "roundCorner(cornerRadius: 20)",
        [
          RoundCornerImageProcessor(
            radius: .point(20), targetSize: nil, roundingCorners: .all, backgroundColor: nil)
        ]
      ),
      (
        "roundCorner(radius: widthFraction(0.5), targetSize: 4x4, roundingCorners: topLeft+bottomRight, "
          + "backgroundColor: gray(1, 1))",
        [
          RoundCornerImageProcessor(
            radius: .widthFraction(0.5), targetSize: .init(width: 4, height: 4),
            roundingCorners: [.topLeft, .bottomRight], backgroundColor: .gray(white: 1, alpha: 1))
        ]
      ),
      (
        "roundCorner(radius: heightFraction(0.25), roundingCorners: none)",
        [
          RoundCornerImageProcessor(
            radius: .heightFraction(0.25), targetSize: nil, roundingCorners: [], backgroundColor: nil)
        ]
      ),
      (
        "roundCorner(radius: point(3)) as \"round\"",
        [
          BuiltInProcessor(
            ProcessorCall(
              "roundCorner", ["cornerRadius": .number(3), "roundingCorners": .corners(15)], as: "round"))
        ]
      ),
      (
        "blur(blurRadius: 4) | blur(radius: 5)",
        [BlurImageProcessor(blurRadius: 4), BlurImageProcessor(blurRadius: 5)]
      ),
      ("overlay(color: #FF0000)", [OverlayImageProcessor(overlay: red, fraction: 0.5)]),
      ("overlay(color: red, fraction: 0)", [OverlayImageProcessor(overlay: red, fraction: 0)]),
      (
        "tint(color: rgba(-0.5, 1.5, 0, 1))",
        [TintImageProcessor(tint: .rgba(red: -0.5, green: 1.5, blue: 0, alpha: 1))]
      ),
      (
        "tint(color: .red) | overlay(color: UIColor.red) | tint(color: .black)",
        [
          TintImageProcessor(tint: red), OverlayImageProcessor(overlay: red, fraction: 0.5),
          TintImageProcessor(tint: black),
        ]
      ),
      ("tint(color: clear)", [TintImageProcessor(tint: .gray(white: 0, alpha: 0))]),
      (
        "colorControls(brightness: 0, contrast: 1.1, saturation: 1.2, inputEV: 0.7)",
        [ColorControlsProcessor(brightness: 0, contrast: 1.1, saturation: 1.2, inputEV: 0.7)]
      ),
      (
        "cropping(size: 8x8)",
        [CroppingImageProcessor(size: .init(width: 8, height: 8), anchor: .init(x: 0.5, y: 0.5))]
      ),
      (
        "cropping(size: 8x8, anchor: (0, 1)) | cropping(size: 8x8, anchor: (x: 0, y: 1))",
        [
          CroppingImageProcessor(size: .init(width: 8, height: 8), anchor: .init(x: 0, y: 1)),
          CroppingImageProcessor(size: .init(width: 8, height: 8), anchor: .init(x: 0, y: 1)),
        ]
      ),
      ("blend(blendMode: darken)", [BlendImageProcessor(blendMode: .darken, alpha: 1, backgroundColor: nil)]),
      (
        "blend(blendMode: 27, alpha: 0.5, backgroundColor: black)",
        [BlendImageProcessor(blendMode: .plusLighter, alpha: 0.5, backgroundColor: black)]
      ),
      (
        "border",
        [
          BorderImageProcessor(
            border: Border(color: black, lineWidth: 4, radius: .point(0), roundingCorners: .all))
        ]
      ),
      (
        "border(color: #FF0000, lineWidth: 2.5, radius: 6, roundingCorners: topLeft)",
        [
          BorderImageProcessor(
            border: Border(color: red, lineWidth: 2.5, radius: .point(6), roundingCorners: .topLeft))
        ]
      ),
      ("custom(\"a(b)|>c\")", [BuiltInProcessor(.custom("a(b)|>c"))]),
    ] as [(String, [BuiltInProcessor])])
  func processorsAreSpelledAsTheAppSpellsThem(text: String, processors: [BuiltInProcessor]) {
    let (chain, errors) = JobFileReading.chain(text, client: "kingfisher 8")
    #expect(errors.map(\.message) == [])
    #expect(chain == Chain(processors.map(\.call)))
  }

  @Test(
    arguments: [
      ("/1.png resize(width: 3)", 8, "'resize' is Nuke's, and the client is kingfisher", "downsampling"),
      ("/1.png thumbnail(maxPixelSize: 3)", 8, "'thumbnail' is Nuke's", ""),
      ("/1.png downsampled", 8, "no chain or processor is called 'downsampled'", "'downsampling'"),
      ("/1.png zzzzzz", 8, "is called 'zzzzzz'", "downsampling(size: 320x320)"),
      ("/1.png downsampling(size: 8)", 27, "needs a size like 44x44", ""),
      ("/1.png tint(color: UIColor.systemBlue)", 20, "a colour: #RRGGBB", ""),
      ("/1.png tint(color: displayP3(1, 0, 0, 1))", 20, "a colour: #RRGGBB", ""),
      ("/1.png tint(color: .whit)", 20, "a colour", "'white'"),
      ("/1.png tint(color: whit)", 20, "a colour", "'white'"),
      ("/1.png tint(color: gray(1))", 20, "gray(W, A) has 2 components, not 1", ""),
      ("/1.png roundCorner(cornerRadius: 1, radius: point(1))", 37, "has no 'radius'", ""),
      ("/1.png roundCorner(radius: diameter(1))", 28, "point(N), widthFraction(N)", ""),
      ("/1.png border(roundingCorners: topLeft+top)", 32, "joined with +", ""),
      ("/1.png blend(blendMode: multipy)", 25, "a blend mode's name", "'multiply'"),
      ("/1.png blend(blendMode: 28)", 25, "0 to 27", ""),
      ("/1.png colorControls(brightness: 1)", 8, "needs 'contrast:'", ""),
      ("/1.png cropping(size: 1x1, anchor: (1))", 36, "a point like (0.5, 0.5)", ""),
      ("/1.png custom(\"a\") as \"b\"", 23, "has its identifier already", ""),
      ("/1.png expires=0d", 16, "expires at once", "above 0"),
      ("/1.png expires=soon", 16, "neither a period nor a date", "2027-01-31"),
      ("/1.png expires=2027-02-30", 16, "neither a period nor a date", ""),
      ("/1.png expires=2020-01-31", 16, "this expiry date has passed", "30d"),
      ("expires 2020-01-31T08:00:00Z", 1, "this expiry date has passed", "never"),
      ("/1.png expires=2038-01-01", 16, "after 2037", "never"),
      ("policy automatic", 1, "'policy' belongs to nuke, and the client is kingfisher", "take it out"),
      ("scale 2 3", 1, "do not hold the scale", "cache folder for each"),
      ("style bilder", 7, "no style is called 'bilder'", "'builder'"),
      ("auto-extension maybe", 16, "on or off", ""),
      ("path-extension a/b", 16, "sub-folder", ""), ("path-extension a//", 16, "sub-folder", ""),
      ("forced-extension /", 18, "the extension is empty", ""),
      ("forced-extension", 1, "needs a value", "forced-extension heic"),
      ("expires whenever", 9, "neither a period", ""),
      ("chain downsampling = default", 7, "cannot name a chain", ""),
      ("chain a = blackWhite | resize(width: 3)", 24, "is Nuke's", ""),
    ])
  func aMistakeIsShownAtItsPlace(line: String, column: Int, message: String, help: String) throws {
    let job = JobFileReading("client kingfisher 8\ncache out\n\(line)\n/last.png blackWhite")
    let errors = job.errors.filter { !$0.message.contains("never used") }
    try #require(!errors.isEmpty, "\(line)")
    #expect(errors[0].line == 3 && errors[0].column == column, "\(errors[0].rendered())")
    #expect(errors[0].message.contains(message), "\(errors[0].rendered())")
    #expect(help.isEmpty || errors[0].help?.contains(help) == true, "\(errors[0].rendered())")
  }

  @Test(arguments: [
    ("5.13.4", "/1.png roundCorner(radius: widthFraction(0.5))", 8, "5.14.0"),
    ("6.3.1", "/1.png border", 8, "7.0.0"), ("5", "style builder", 1, "6.0.0"),
    ("5.2", "hashed-names off", 1, "5.3.0"), ("5.12", "original-data on", 1, "5.13.0"),
    ("6.2", "auto-extension true", 1, "6.3.0"), ("8.0", "forced-extension heic", 1, "8.1.0"),
  ])
  func whatTheVersionDoesNotHaveIsAnError(version: String, line: String, column: Int, message: String) throws
  {
    let job = JobFileReading("client kingfisher \(version)\ncache out\n\(line)\n/last.png")
    try #require(job.errors.count == 1, "\(job.diagnostics.rendered())")
    #expect(job.errors[0].line == 3 && job.errors[0].column == column)
    #expect(job.errors[0].message.contains(message))
  }

  @Test func settingsReachThePlan() throws {
    let job = JobFileReading(
      """
      client kingfisher 8.7
      cache out
      style builder
      path-extension "jpg"
      auto-extension true
      forced-extension heic
      expires 30d
      scale 2
      /1.png blackWhite expires=2027-01-31T08:00:01Z
      /2.png expires=90s
      /3.png expires=never
      """)
    #expect(job.diagnostics.isEmpty, "\(job.diagnostics.rendered())")
    #expect(job.settings?.client == CacheClient(name: "kingfisher", release: Release(8, 7, 0)))
    let values = try #require(job.settings?.values)
    #expect(values[KingfisherSettings.style] == .builder)
    #expect(
      KingfisherSettings.naming(values)
        == FileNaming(pathExtension: "jpg", autoExtension: true, forcedExtension: "heic"))
    #expect(values[KingfisherSettings.expires] == .after(seconds: 30 * 86_400))
    #expect(
      job.entries.map(\.options.expiry) == [
        .date(Date(timeIntervalSince1970: 1_801_382_401)), .after(seconds: 90), .never,
      ])
  }

  @Test(
    arguments: [
      ("7d", .after(seconds: 604_800)), ("12h", .after(seconds: 43_200)), ("30m", .after(seconds: 1_800)),
      ("2027-01-31", .date(Date(timeIntervalSince1970: 1_801_353_600))),
      ("99999999999999999999d", .after(seconds: 3_162_240_000)),
    ] as [(String, EntryExpiry)])
  func anExpiryIsAPeriodOrADate(text: String, expiry: EntryExpiry) {
    var overrides = GivenSettings()
    overrides["expires"] = text
    let job = JobFileReading("client kingfisher 8\ncache out\nexpires 1d\n/1.png", overrides: overrides)
    #expect(job.diagnostics.isEmpty)
    #expect(job.settings?.values[KingfisherSettings.expires] == expiry)
  }

  /// What a damaged ledger says is bounded, so that it can be told and reckoned with.
  @Test(arguments: [
    ("@9223372036854775807", "@253402300799"), ("@-9223372036854775808", "@0"),
    ("9223372036854775807", "253402300799"), ("-5", "0"), ("@1767225600", "@1767225600"), ("never", "never"),
  ])
  func anExpiryOfALedgerLiesWithinTheYears(text: String, kept: String) {
    #expect(EntryExpiry(text: text)?.text == kept)
  }

  /// A run is made when `SOURCE_DATE_EPOCH` says.
  @Test func anExpiryHasPassedWhereTheRunStartsLater() {
    func errors(_ epoch: String, flag: String? = nil) -> [Diagnostic] {
      var overrides = GivenSettings()
      if let flag { overrides["expires"] = flag }
      return JobFileReading(
        "client kingfisher 8\ncache out\n/1.png expires=2027-01-31", overrides: overrides,
        environment: ["SOURCE_DATE_EPOCH": epoch]
      ).errors
    }
    #expect(errors("1801353599").isEmpty)
    #expect(
      errors("1801353600").map(\.message) == ["this expiry date has passed, so nothing would be stored"])
    #expect(errors("1801353599", flag: "2026-01-01").map(\.file) == ["--expires"])
    #expect(errors("1801353599", flag: "30d").isEmpty)
  }

  @Test(arguments: [2_140_000_000, 2_145_830_401, 4_102_358_401, 15_021_072_001] as [Double])
  func neverLiesAheadInEveryYear(seconds: Double) {
    let start = Date(timeIntervalSince1970: seconds)
    #expect(EntryExpiry.never.date(from: start) > start.addingTimeInterval(365 * 86_400))
    #expect(EntryExpiry.after(seconds: 60).date(from: start) == start.addingTimeInterval(60))
    // No expiry is later than the end of time, and none cuts a second.
    let early = Date(timeIntervalSince1970: 1_800_000_000.25)
    #expect(EntryExpiry.after(seconds: 60).date(from: early) == Date(timeIntervalSince1970: 1_800_000_061))
    let last = EntryExpiry.after(seconds: 3_162_240_000).date(from: early)
    #expect(last == Date(timeIntervalSince1970: 2_145_830_400))
  }

  @Test func flagsOfTheOtherClientAreOnlyWorthAWarning() {
    var overrides = GivenSettings()
    overrides["style"] = "builder"
    overrides["policy"] = "storeAll"
    let nuke = JobFileReading("client nuke 12\ncache out\n/1.png", overrides: overrides)
    #expect(nuke.errors.isEmpty)
    #expect(nuke.warnings.map(\.file) == ["--style"])
    let kingfisher = JobFileReading("client kingfisher 8\ncache out\n/1.png", overrides: overrides)
    #expect(kingfisher.errors.isEmpty)
    #expect(kingfisher.warnings.map(\.file) == ["--policy"])
    #expect(kingfisher.settings?.values[KingfisherSettings.style] == .builder)
  }

  @Test func fragileKeysAreWorthAWarningEachOnce() {
    let job = JobFileReading(
      """
      client kingfisher 8
      cache out
      style builder
      chain framed = border
      /1.png framed
      /2.png roundCorner(cornerRadius: 1, backgroundColor: red) id=2
      /3.png roundCorner(cornerRadius: 2, backgroundColor: red) id=3
      """)
    #expect(job.errors.isEmpty)
    #expect(job.warnings.map(\.line) == [4, 6])
  }

  @Test func aWrongVersionStillTellsWhoseWordsTheChainsAre() {
    let job = JobFileReading("client kingfisher 99\ncache out\n/1.png blackWhite | downsampling(size: 3x3)")
    #expect(job.errors.map(\.line) == [1])
  }
}
