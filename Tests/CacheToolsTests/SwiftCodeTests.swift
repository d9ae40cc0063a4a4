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
    #expect(code.contains("static func chainin(_ source: Source)"), "a keyword is no name")
    #expect(
      code.contains(
        ".resize(size: CGSize(width: 44, height: 33.5), unit: .pixels, crop: true, upscale: true), .circle(), "
          + ".gaussianBlur(radius: 4)"))
    #expect(code.contains("thumbnail.shouldCacheImmediately = false"))
    #expect(code.contains("request.userInfo[.thumbnailKey] = thumbnail"))
    #expect(code.contains(#"Source("https://e.com/2.jpg", id: "i\"d"),"#))
    #expect(code.contains(#".process(id: "a\"b\\c")"#))
    // Two scales are one request.
    #expect(code.components(separatedBy: "\"https://e.com/1.jpg\"").count == 4)
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
    #expect(options.contains("KF.ImageResource(downloadURL: $0, cacheKey: source.id)"))
    #expect(options.contains(#"WarmedProcessor(identifier: "mono") |> WarmedProcessor(identifier: "x")"#))
    let old = Self.kingfisherJob.replacingOccurrences(of: "kingfisher 8", with: "kingfisher 7.7")
    #expect(try code(old).contains("map { ImageResource(downloadURL"))
    let builder = try code("style builder\n" + Self.kingfisherJob)
    #expect(builder.contains("-> KFImage {") && builder.contains(".appendProcessor(BlackWhite") == false)
    #expect(
      builder.contains(".appendProcessor(DownsamplingImageProcessor(size: .init(width: 5, height: 5)))"))
  }

  @Test func keysStandWithTheirFilesAndDigests() throws {
    let scene = try ToolScene()
    let cache = try scene.cache("cache", ["https://e.com/1.jpg": Data("x".utf8)])
    let job = "client nuke 12\ncache \(cache)\nhttps://e.com/1.jpg original\nhttps://e.com/2.jpg original\n"
    let code = try code(job, withKeys: true)
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
      let stubs = ["nuke": "Nuke", "king": "Kingfisher", "sdwe": "SDWebImage"][client.prefix(4)] ?? ""
      let complaint = try await OwnThread { try SwiftCompiler.complaint(about: source, client: stubs) }.value
      #expect(complaint == nil, "\(client)")
    }
  }

  /// Against declarations of the few words of each client that the code uses.
  @Test(.enabled(if: SwiftCompiler.isThere)) func theCodeTypechecks() async throws {
    for (name, jobs) in [
      ("Nuke", [Self.nukeJob]),
      (
        "Kingfisher",
        [
          "scale 2\n" + Self.kingfisherJob, "style builder\nforced-extension heic\n" + Self.kingfisherJob,
        ]
      ),
    ] {
      let versions =
        jobs + (name == "Nuke" ? [Self.nukeJob.replacingOccurrences(of: "nuke 12", with: "nuke 13")] : [])
      for job in versions {
        let source = try code(job, withKeys: true)
        let complaint = try await OwnThread { try SwiftCompiler.complaint(about: source, client: name) }.value
        #expect(complaint == nil, "\(source)")
      }
    }
  }
}
