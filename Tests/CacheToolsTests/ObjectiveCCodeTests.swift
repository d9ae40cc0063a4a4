import ClientKit
import Foundation
import JobSupport
import TestSupport
import Testing

@testable import CacheTools

/// The header that an app in Objective-C gets.
@Suite(.timeLimit(.minutes(10)))
struct ObjectiveCCodeTests {
  private static let job = """
    client sdwebimage 5
    cache cache
    scale 2
    store-cache-type disk
    chain card = thumbnail(size: 200x100.5, preserveAspectRatio: false) | resize(size: 10x20, scaleMode: aspectFit)
    chain edge = roundCorner(radius: 8, corners: topLeft+bottomRight, borderWidth: 1, borderColor: red)
    chain turned = flip(horizontal: true) | rotate(angle: -0.5, fitSize: false) | crop(rect: (0, 0, 5, 5))
    chain tinted = tint(color: #ff000080) | tint(color: red, blendMode: xor) | blur(radius: 2.5)
    chain other = filter(name: CISepiaTone) | custom("a\\"b") | roundCorner(radius: 4, corners: none)
    chain card-2 = blur(radius: 1) as "soft"
    chain plain = filter(name: CIColorControls, inputContrast: 1.2, inputSaturation: 0)
    https://e.com/1.jpg card edge turned original id="one \u{1b}"
    https://e.com/2.jpg tinted other card-2 card plain
    https://e.com/3.jpg tinted noDiskRead noDiskWrite
    """

  private func code(_ job: String, withKeys: Bool = false, showsSecrets: Bool = false) throws -> String? {
    WarmedRequests(try #require(Preheat.plan(job).plan), showsSecrets: showsSecrets)
      .objectiveC(withKeys: withKeys)
  }

  @Test func chainsBecomeFunctions() throws {
    let code = try #require(try code(Self.job.replacing("\u{1b}", with: "x"), withKeys: true))
    #expect(code.contains("#import <SDWebImage/SDWebImage.h>\n#import <UIKit/UIKit.h>"))
    #expect(
      code.contains(
        #"[CIFilter filterWithName:@"CIColorControls" withInputParameters:@{@"inputContrast" : @1.2, @"inputSaturation" : @0}]"#
      ))
    #expect(code.contains("SDWebImageContextImageThumbnailPixelSize : @(CGSizeMake(200, 100.5)),"))
    #expect(
      code.contains(
        "SDImageResizingTransformer transformerWithSize:CGSizeMake(10, 20) scaleMode:SDImageScaleModeAspectFit]"
      ))
    #expect(code.contains("corners:UIRectCornerTopLeft | UIRectCornerBottomRight borderWidth:1"))
    #expect(code.contains("blendMode:kCGBlendModeXOR]") && code.contains("corners:(SDRectCorner)0"))
    #expect(code.contains("SDWebImageContextImageScaleFactor : @2,"))
    #expect(code.contains("SDWebImageContextStoreCacheType : @(SDImageCacheTypeDisk),"))
    #expect(code.contains("@{@\"url\" : @\"https://e.com/1.jpg\", @\"id\" : @\"one x\"},"))
    #expect(code.contains("void WarmedCard(") && code.contains("void WarmedCard2("))
    #expect(code.components(separatedBy: "extern id<SDImageTransformer> WarmedTransformer(").count == 2)
    #expect(
      code.contains("@\"chain\" : @\"WarmedCard\", @\"url\" : @\"https://e.com/1.jpg\", @\"scale\" : @2,"))
  }

  @Test func onlyALibraryThatObjectiveCCanUseHasIt() throws {
    #expect(try code("client nuke 12\ncache c\nhttps://e.com/1.jpg") == nil)
    #expect(try code("client kingfisher 8\ncache c\nhttps://e.com/1.jpg") == nil)
  }

  @Test func secretsAreMaskedAndACompilerSaysSo() throws {
    let job = "client sdwebimage 5\ncache c\nhttps://u:p@e.com/1.jpg"
    let code = try #require(try code(job))
    #expect(!code.contains("u:p@") && code.contains("#warning \"1 URL with credentials"))
    #expect(try self.code(job, showsSecrets: true)?.contains("u:p@e.com") == true)
  }

  @Test(arguments: [
    ("plain", "@\"plain\""), ("a\"b\\c\n", #"@"a\"b\\c\n""#), ("\u{7}1", #"@"\0071""#), ("図", "@\"図\""),
    ("\u{202e}", #"@"\342\200\256""#), ("##[group]", ##"@"#\043[group]""##), ("??(", #"@"?\077(""#),
  ])
  func literalsMeanTheirText(text: String, literal: String) {
    #expect(ObjectiveCLiteral.string(text) == literal)
  }

  private static let oldest = """
    client sdwebimage 5.0
    cache cache
    store-cache-type disk
    chain edge = roundCorner(radius: 8, corners: topLeft+bottomRight, borderWidth: 1, borderColor: red)
    chain other = filter(name: CISepiaTone) | tint(color: red) | roundCorner(radius: 4) | custom("a")
    https://e.com/1.jpg edge original id=one
    https://e.com/2.jpg other
    """

  /// What clang says of code on a platform, at a release; nil for nothing.
  private func complaint(about code: String, on target: String, release: Int) async throws -> String? {
    try await OwnThread {
      let folder = try TemporaryFolder()
      try Data(code.utf8).write(to: folder.file("Warmed.h"))
      try Data("#import \"Warmed.h\"\n#import \"Warmed.h\"\n".utf8).write(to: folder.file("App.m"))
      let process = Process()
      let pipe = Pipe()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = [
        "clang", "-target", target, "-DSDWEBIMAGE=\(release)", "-fsyntax-only", "-fobjc-arc", "-nostdinc",
        "-Wall", "-Wextra", "-Werror", "-I", Fixtures.folder.appendingPathComponent("code/ObjectiveC").path,
        folder.file("App.m").path,
      ]
      process.standardError = pipe
      try process.run()
      let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return process.terminationStatus == 0 ? nil : text
    }.value
  }

  /// Against the published declarations, on the platforms that have UIKit's views.
  @Test(
    .enabled(if: SwiftCompiler.isThere),
    arguments: ["arm64-apple-ios13.0", "arm64-apple-tvos13.0", "arm64-apple-xros1.0"],
    [(job, 52105), (job.replacing("sdwebimage 5\n", with: "sdwebimage 5.20.0\n"), 52000), (oldest, 50000)])
  func theCodeIsObjectiveC(target: String, app: (job: String, release: Int)) async throws {
    let code = try #require(try code(app.job.replacing("\u{1b}", with: "x"), withKeys: true))
    let complaint = try await complaint(about: code, on: target, release: app.release)
    #expect(complaint == nil, "\(complaint ?? "")")
  }

  /// The declarations have no word that a platform or a release lacks.
  @Test(
    .enabled(if: SwiftCompiler.isThere),
    arguments: [
      ("arm64-apple-ios13.0", 52105, "SDRectCorner corner = UIRectCornerTopLeft;", true),
      ("arm64-apple-ios13.0", 52105, "SDRectCorner corner = SDRectCornerTopLeft;", false),
      ("arm64-apple-watchos6.0", 52105, "SDRectCorner corner = UIRectCornerAllCorners;", true),
      ("arm64-apple-watchos6.0", 52105, "SDImageFilterTransformer *filter;", false),
      ("arm64-apple-macos11.0", 52105, "SDRectCorner corner = SDRectCornerTopLeft;", true),
      ("arm64-apple-macos11.0", 52105, "SDRectCorner corner = UIRectCornerTopLeft;", false),
      (
        "arm64-apple-ios13.0", 50401, "id option(void) { return SDWebImageContextImageThumbnailPixelSize; }",
        false
      ),
      (
        "arm64-apple-ios13.0", 50700, "id option(void) { return SDWebImageContextImageThumbnailPixelSize; }",
        true
      ),
    ])
  func theDeclarationsAreThoseOfThePlatform(
    target: String, release: Int, text: String, isThere: Bool
  ) async throws {
    let code = "#pragma once\n#import <SDWebImage/SDWebImage.h>\nextern int only;\n\(text)\n"
    #expect((try await complaint(about: code, on: target, release: release) == nil) == isThere)
  }
}
