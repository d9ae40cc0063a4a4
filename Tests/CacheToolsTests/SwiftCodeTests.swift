import CacheStore
import ClientKit
import Foundation
import JobSupport
import TestSupport
import Testing

@testable import CacheTools

/// The code that an app gets is Swift, and says what the job says.
@Suite(.timeLimit(.minutes(10)))
struct SwiftCodeTests {
  private static let nukeJob = """
    client nuke 12
    cache cache
    scale 2 3
    chain card = resize(width: 320)
    chain in = resize(size: 44x33.5, unit: pixels, crop: true, upscale: true) | circle | gaussianBlur(radius: 4)
    chain list = thumbnail(maxPixelSize: 64, shouldCacheImmediately: false)
    chain flex = thumbnail(size: 10x20, contentMode: aspectFit) | roundedCorners(radius: 8, unit: pixels)
    https://e.com/1.jpg card in list
    https://e.com/2.jpg card flex custom("a\\"b\\\\c") id="i\\"d"
    https://e.com/3.jpg coreImage(name: CISepiaTone) | circle(border: (color: #ff0000, width: 2))
    """

  private static let kingfisherJob = """
    client kingfisher 8
    cache cache
    chain a = resizing(referenceSize: 10x20, mode: aspectFit) | downsampling(size: 5x5) | blur(blurRadius: 2.5)
    chain b = roundCorner(radius: widthFraction(0.5), targetSize: 9x9, roundingCorners: topLeft+bottomRight)
    chain c = cropping(size: 4x4, anchor: (0, 1)) | colorControls(brightness: 0.1, contrast: 1, saturation: 1, inputEV: 0)
    chain d = blackWhite as "mono" | custom("x") | tint(color: #ff000080) | overlay(color: gray(0, 1))
    chain f = downsampling(size: 7x7)
    chain e = blend(blendMode: multiply) | border(lineWidth: 2, radius: point(3))
    https://e.com/1.jpg a b c d e f original id=one
    """

  private func code(_ job: String, withKeys: Bool = false) throws -> String {
    WarmedRequests(try #require(Preheat.plan(job).plan)).swift(withKeys: withKeys)
  }

  @Test func chainsBecomeFunctionsAndEntriesSources() throws {
    let code = try code(Self.nukeJob)
    #expect(code.contains("processors: [.resize(width: 320)])"))
    #expect(code.contains("static func chainin(_ url: String)"), "a keyword is no name")
    #expect(
      code.contains(
        ".resize(size: CGSize(width: 44, height: 33.5), unit: .pixels, crop: true, upscale: true), .circle(), "
          + ".gaussianBlur(radius: 4)"))
    #expect(code.contains("thumbnail.shouldCacheImmediately = false"))
    #expect(code.contains("request.userInfo[.thumbnailKey] = thumbnail"))
    #expect(code.contains(#"Source("https://e.com/2.jpg", id: "i\"d"),"#))
    #expect(code.contains(#".process(id: "a\"b\\c")"#))
    // Two scales are one request: each of the three chains has it once.
    #expect(code.components(separatedBy: "\"https://e.com/1.jpg\"").count == 4)
  }

  /// An app has its own list of pictures.
  @Test(arguments: ["nuke 12", "kingfisher 8", "sdwebimage 5"])
  func aLongJobIsFunctionsAndAnExample(client: String) throws {
    let chain = client.hasPrefix("nuke") ? "circle" : client.hasPrefix("sd") ? "flip" : "blackWhite"
    let lines = (1...3000).map { "https://e.com/\($0).jpg \(chain)" }
    let plan = try #require(Preheat.plan("client \(client)\ncache c\n" + lines.joined(separator: "\n")).plan)
    let requests = WarmedRequests(plan, most: 3)
    for code in [requests.swift(withKeys: true), requests.objectiveC(withKeys: true)].compactMap({ $0 }) {
      #expect(code.components(separatedBy: "https://e.com/3.jpg\"").count == 3 && !code.contains("/4.jpg"))
      #expect(code.contains("The first 3 of 3,000; --all lists all of them."))
    }
    #expect(requests.swift(withKeys: false).contains("static func \(chain)(_ url: String"))
    let all = WarmedRequests(plan).swift(withKeys: true)
    #expect(all.components(separatedBy: "https://e.com/2999.jpg\"").count == 3 && !all.contains("The first"))
  }

  @Test func nuke13HasPropertiesInPlaceOfTheDictionary() throws {
    let code = try code(Self.nukeJob.replacingOccurrences(of: "nuke 12", with: "nuke 13"))
    #expect(code.contains("request.thumbnail = thumbnail") && code.contains("request.imageID = id"))
    #expect(!code.contains("userInfo"))
  }

  @Test func kingfishersStylesDiffer() throws {
    let options = try code(Self.kingfisherJob)
    #expect(
      options.contains("view.kf.setImage(with: ") && options.contains("BlurImageProcessor(blurRadius: 2.5)"))
    #expect(options.contains("aspectFit) |> DownsamplingImageProcessor"))
    #expect(options.contains("KF.ImageResource(downloadURL: $0, cacheKey: id)"))
    #expect(options.contains(#"WarmedProcessor(identifier: "mono") |> WarmedProcessor(identifier: "x")"#))
    let old = Self.kingfisherJob.replacingOccurrences(of: "kingfisher 8", with: "kingfisher 7.7")
    #expect(try code(old).contains("map { ImageResource(downloadURL"))
    let builder = try code("style builder\n" + Self.kingfisherJob)
    #expect(builder.contains("-> KFImage {") && builder.contains(".appendProcessor(BlackWhite") == false)
    #expect(
      builder.contains(".appendProcessor(DownsamplingImageProcessor(size: .init(width: 5, height: 5)))"))
  }

  @Test(arguments: [
    ("nuke 12", ["[.disableDiskCacheReads]", "[.reloadIgnoringCachedData, .disableDiskCacheWrites]"]),
    ("kingfisher 8", [".fromMemoryCacheOrRefresh]", ".forceRefresh, .cacheMemoryOnly]", ".onlyFromCache]"]),
    (
      "sdwebimage 5",
      ["[.fromLoaderOnly]", "[.fromCacheOnly]", ".storeCacheType: SDImageCacheType.memory.raw"]
    ),
  ])
  func whatALineReadsAndWritesIsInTheCode(client: String, words: [String]) throws {
    let lines = [
      "original", "original noDiskRead", "original reload noDiskWrite id=2", "original offline id=3",
    ]
    let urls = lines.map { "https://e.com/1.jpg \($0)\n" }.joined()
    let code = try code("client \(client)\ncache cache\nscale 1\n\(urls)")
    #expect(words.allSatisfy(code.contains), "\(code)")
    #expect(code.components(separatedBy: "static let ").count == 5, "each is a function of its own")
  }

  @Test func keysStandWithTheirFilesAndDigests() throws {
    let scene = ToolScene()
    let cache = try scene.cache("cache", ["https://e.com/1.jpg": Data("x".utf8)])
    let job = "client nuke 12\ncache \(cache)\nhttps://e.com/1.jpg original\nhttps://e.com/2.jpg original\n"
    let ledger = try LedgerReader(path: StateFolder(cache: cache).ledger).rows()
    let code = WarmedRequests(try #require(Preheat.plan(job).plan), ledger: ledger).swift(withKeys: true)
    // SHA-256 of "x" (sha256sum).
    #expect(
      code.contains(
        #"("original", "https://e.com/1.jpg", 1, "https://e.com/1.jpg", "\#(ToolScene.name("https://e.com/1.jpg"))", "#
          + #""2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"),"#))
    #expect(code.contains("\(ToolScene.name("https://e.com/2.jpg"))\", nil),"))
  }

  @Test(arguments: [
    ("plain", #""plain""#), ("\"\\", #""\"\\""#), ("\\(x)", #""\\(x)""#), ("a\nb\t", #""a\nb\t""#),
    ("\u{202E}\u{0}", #""\u{202e}\u{0}""#), ("ä€", "\"ä€\""),
  ])
  func literalsMeanTheirText(text: String, literal: String) {
    #expect(SwiftLiteral.string(text) == literal)
  }

  @Test(arguments: [
    ("card", "card"), ("resize(width: 320)", "resizeWidth320"), ("2x", "chain2x"), ("é", "chain"),
    ("for", "chainfor"), ("Card-big", "cardBig"), ("deinit", "chaindeinit"), ("Self", "chainself"),
  ])
  func labelsBecomeIdentifiers(label: String, identifier: String) {
    #expect(SwiftLiteral.identifier(label) == identifier)
  }

  /// Words of the language and of the page, also those that mean something in some places only.
  @Test(.enabled(if: SwiftCompiler.isThere)) func noChainHasANameThatSwiftCannotRead() async throws {
    let words = """
      Any Self Type actor any associatedtype async await borrowing break case catch class consuming continue convenience \
      defer deinit didSet do dynamic else enum extension fallthrough false fileprivate final for func get guard if \
      import in indirect infix init inout internal is isolated keys lazy let macro mutating nil nonisolated open operator \
      optional override package postfix precedencegroup prefix private protocol public repeat required rethrows return self \
      sending set some source sources static struct subscript super switch throw throws true try typealias unowned var warmed \
      weak where while willSet card card-sources card-options
      """.split(separator: " ")
    let chains = words.map { "chain \($0) = blackWhite\n" }.joined()
    for client in ["nuke 13", "kingfisher 8", "sdwebimage 5"] {
      let uses = words.map { "https://e.com/\($0).jpg \($0)\n" }.joined()
      let own = client.hasPrefix("nuke") ? "circle" : client.hasPrefix("sd") ? "flip" : "blackWhite"
      let job = "client \(client)\ncache cache\n\(chains.replacing("blackWhite", with: own))\(uses)"
      let source = try code(job, withKeys: true)
      let complaint = try await OwnThread {
        switch client {
        case "nuke 13": try Self.complaint(about: [source], "Nuke", "13.2.0")
        case "kingfisher 8": try Self.complaint(about: [source], "Kingfisher", "8.11.0")
        default: try SDWebImageCodeTests.complaint(about: source)
        }
      }.value
      #expect(complaint == nil, "\(client)")
    }
  }

  /// All that a release can do, against what it publishes: the oldest and the newest of each major version, and those
  /// between which the code differs.
  @Test(
    .enabled(if: SwiftCompiler.isThere),
    arguments: [
      "nuke 10.0.0", "nuke 10.4.1", "nuke 10.5.0", "nuke 10.11.2", "nuke 11.0.0", "nuke 11.6.4",
      "nuke 12.0.0", "nuke 12.9.0", "nuke 13.0.0", "nuke 13.2.0", "nuke 14.0.0", "kingfisher 5.0.0",
      "kingfisher 5.15.8", "kingfisher 6.0.0", "kingfisher 6.3.1", "kingfisher 7.0.0", "kingfisher 7.12.0",
      "kingfisher 8.0.0", "kingfisher 8.11.0",
    ])
  func theCodeTypechecksWithTheRelease(client: String) async throws {
    let release = String(client.split(separator: " ")[1])
    let version = release.split(separator: ".").compactMap { Int($0) }
    func isFrom(_ major: Int, _ minor: Int = 0) -> Bool { (version[0], version[1]) >= (major, minor) }
    let isNuke = client.hasPrefix("nuke")
    let name = isNuke ? "Nuke" : "Kingfisher"
    var lines = isNuke ? Self.nukeChains : Self.kingfisherChains
    lines += ["noDiskRead", "reload noDiskWrite", "offline"].map {
      "https://e.com/3.jpg original id=\($0.count) \($0)"
    }
    if isNuke, isFrom(10, 4) {
      lines += [
        "https://e.com/2.jpg thumbnail(maxPixelSize: 64, shouldCacheImmediately: false) id=\"i\\\"d\""
      ]
    }
    if isNuke, isFrom(12) { lines += ["https://e.com/2.jpg thumbnail(size: 10x20, contentMode: aspectFit)"] }
    if !isNuke, isFrom(5, 14) {
      lines += [
        "https://e.com/2.jpg roundCorner(radius: widthFraction(0.5), roundingCorners: topLeft+bottomRight)"
      ]
    }
    if !isNuke, isFrom(7) { lines += ["https://e.com/2.jpg border(lineWidth: 2, radius: point(3))"] }
    let job = "client \(client)\ncache cache\nscale 2\n\(lines.joined(separator: "\n"))\n"
    var jobs = [job]
    if !isNuke, isFrom(6) { jobs.append("style builder\n\(job)") }
    if !isNuke, isFrom(8, 1) { jobs.append("style builder\nforced-extension heic\n\(job)") }
    let codes = try jobs.map { try code($0, withKeys: true) }
    // What older ones publish is not marked for Swift 6.
    let language = isFrom(isNuke ? 12 : 8) ? "6" : "5"
    let complaint = try await OwnThread {
      try Self.complaint(about: codes, name, release, language: language)
    }.value
    #expect(complaint == nil, "\(client)")
  }

  /// What the compiler says of code against a release's declarations; nil for nothing.
  private static func complaint(
    about codes: [String], _ client: String, _ release: String, language: String = "6"
  ) throws -> String? {
    let folder = try TemporaryFolder()
    if let complaint = try PublishedModule(client, release: release).build(client, in: folder.url) {
      return complaint
    }
    for code in codes {
      try Data(code.utf8).write(to: folder.file("Warmed.swift"))
      let complaint = try SwiftCompiler.complaint([
        "-typecheck", "-swift-version", language, "-warnings-as-errors", "-module-cache-path", folder.path,
        "-I", folder.path, folder.file("Warmed.swift").path,
      ])
      if let complaint { return "\(complaint)\n\(code)" }
    }
    return nil
  }

  private static let nukeChains = [
    "https://e.com/1.jpg resize(width: 320) original id=one",
    "https://e.com/1.jpg resize(width: 320) as \"\" | circle(border: (color: #ff0000, width: 2)) as \"\" id=two",
    "https://e.com/1.jpg original as \"\" id=three",
    "https://e.com/1.jpg resize(size: 44x33.5, unit: pixels, crop: true, upscale: true) | circle | gaussianBlur(radius: 4)",
    "https://e.com/1.jpg resize(height: 8, upscale: true) custom(\"a\\\"b\\\\c\")",
    "https://e.com/1.jpg coreImage(name: CISepiaTone) | circle(border: (color: #ff0000, width: 2))",
    "https://e.com/1.jpg roundedCorners(radius: 8, unit: pixels) | coreImageFilter(name: CISepiaTone, identifier: \"s\")",
  ]

  private static let kingfisherChains = [
    "https://e.com/1.jpg resizing(referenceSize: 10x20, mode: aspectFit) | downsampling(size: 5x5) id=one",
    "https://e.com/1.jpg roundCorner(cornerRadius: 4, targetSize: 9x9) | blur(blurRadius: 2.5) original",
    "https://e.com/1.jpg cropping(size: 4x4, anchor: (0, 1)) | blend(blendMode: multiply)",
    "https://e.com/1.jpg colorControls(brightness: 0.1, contrast: 1, saturation: 1, inputEV: 0) | default",
    "https://e.com/1.jpg original as \"raw\" original-data=off id=two",
    "https://e.com/1.jpg blackWhite as \"mono\" | custom(\"x\") | tint(color: #ff000080) | overlay(color: gray(0, 1))",
  ]
}
