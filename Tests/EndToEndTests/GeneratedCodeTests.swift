import Foundation
import TestSupport
import Testing

/// The code that `preheat code --swift` prints for an app compiles with this package's own libraries. What is a view on a
/// device stands in a few lines here.
@Suite(.ownThreads, .timeLimit(.minutes(10)), .enabled(if: SwiftCompiler.isThere))
struct GeneratedCodeTests {
  private static let nuke = """
    cache cache
    scale 2 3
    chain card = resize(width: 320)
    chain thumbed = thumbnail(maxPixelSize: 64, shouldCacheImmediately: false)
    https://e.com/1.jpg card original
    https://e.com/1.jpg resize(size: 44x33.5, unit: pixels, contentMode: aspectFit, upscale: true) | gaussianBlur
    https://e.com/2.jpg circle(border: (color: .red, width: 2)) | roundedCorners(radius: 8, unit: pixels)
    https://e.com/3.jpg coreImageFilter(name: CISepiaTone) | coreImage(name: CISepiaTone, identifier: "sepia")
    https://e.com/4.jpg circle as "com.example.round" custom("a\\"b\\\\c")
    https://e.com/5.jpg thumbed id="i\\"d"
    """

  private static let kingfisher = """
    client kingfisher 8
    cache cache
    scale 2
    path-extension jpg
    chain fit = resizing(referenceSize: 10x20.5, mode: aspectFit)
    chain small = downsampling(size: 5x5) | blur(blurRadius: 2.5)
    chain round = roundCorner(radius: widthFraction(0.5), targetSize: 9x9, roundingCorners: topLeft+bottomRight, \
    backgroundColor: #ff0000)
    chain framed = border(lineWidth: 2, color: gray(0.5, 1), radius: point(3), roundingCorners: none)
    chain cut = cropping(size: 4x4, anchor: (0, 1)) | tint(color: #ff000080) | overlay(color: white)
    chain toned = colorControls(brightness: 0.1, contrast: 1, saturation: 1, inputEV: 0) | blackWhite
    chain mixed = blend(blendMode: multiply, alpha: 0.5, backgroundColor: black) | blend(blendMode: 27)
    chain own = blackWhite as "mono" | custom("x") | default
    https://e.com/1.jpg fit small round framed cut toned mixed own original
    https://e.com/2.jpg small own id=two
    """

  /// The view code that the printed functions end in.
  private static let views = """
    import Foundation
    import KingfisherCache

    // Of a processor of the app's own, which draws nothing here.
    enum ImageProcessItem { case image(KFCrossPlatformImage), data(Data) }
    struct KingfisherParsedOptionsInfo { let scaleFactor = 1.0 }
    extension KFCrossPlatformImage {
      init?(data: Data, scale: Double) { self.init(data: data) }
    }

    @MainActor final class UIImageView {
      var kf: Wrapper { Wrapper() }

      struct Wrapper {
        func setImage(with resource: (any Resource)?, options: KingfisherOptionsInfo? = nil) {
          if let resource {
            KingfisherManager.shared.retrieveImage(with: resource, options: options, completionHandler: nil)
          }
        }
      }
    }

    @MainActor final class KFImage {
      var processor: any ImageProcessor = DefaultImageProcessor.default

      static func url(_ url: URL?, cacheKey: String? = nil) -> KFImage { KFImage() }
      func downsampling(size: CGSize) -> KFImage {
        processor = DownsamplingImageProcessor(size: size)
        return self
      }
      func appendProcessor(_ next: any ImageProcessor) -> KFImage {
        processor = processor |> next
        return self
      }
      func scaleFactor(_ factor: Double) -> KFImage { self }
    }
    """

  /// The printed code without the imports of what is not here, and with that of a library of ours.
  private static func code(_ job: String, importing module: String, without modules: [String]) throws
    -> String
  {
    let folder = try TemporaryFolder()
    try folder.write(job + "\n", to: "test.job")
    let printed = try BuiltCommand.run(["code", "test.job", "--swift", "--tests"], in: folder.url).expect(0)
    let lines = printed.output.components(separatedBy: "\n")
    let imports = modules.map { "import \($0)" }
    #expect(lines.count { imports.contains($0) } == 2)
    return (["import \(module)"] + lines.filter { !imports.contains($0) }).joined(separator: "\n")
  }

  /// What the compiler says, nil for nothing.
  private static func complaint(about code: String..., flags: [String]) throws -> String? {
    let folder = try TemporaryFolder()
    for (number, text) in code.enumerated() { try folder.write(text, to: "\(number).swift") }
    return try SwiftCompiler.complaint(
      [
        "-typecheck", "-swift-version", "6", "-module-cache-path", folder.file("cache").path, "-I",
        BuiltCommand.products.appendingPathComponent("Modules").path,
      ] + flags + code.indices.map { folder.file("\($0).swift").path })
  }

  @Test(arguments: ["nuke 10", "nuke 11", "nuke 12", "nuke 13"])
  func itCompilesAgainstNukeCache(version: String) throws {
    let hasSizes = !["nuke 10", "nuke 11"].contains(version)
    let more =
      hasSizes ? "https://e.com/6.jpg thumbnail(size: 10x20, unit: pixels, contentMode: aspectFit)" : ""
    // The keys of `userInfo` before Nuke 13 are the app's.
    let code =
      try Self.code(
        "client \(version)\n\(Self.nuke)\n\(more)", importing: "NukeCache", without: ["Nuke", "UIKit"])
      + "extension String { static let imageIdKey = \"i\", thumbnailKey = \"t\" }\n"
    #expect(try Self.complaint(about: code, flags: ["-warnings-as-errors"]) == nil)
    // A check that can fail.
    let wrong = code.replacing("ImageRequest(url:", with: "ImageRequest(address:")
    #expect(try Self.complaint(about: wrong, flags: []) != nil)
  }

  @Test(arguments: ["options", "builder"]) func itCompilesAgainstKingfisherCache(style: String) throws {
    let code = try Self.code(
      "style \(style)\n\(Self.kingfisher)", importing: "KingfisherCache",
      without: ["Kingfisher", "UIKit", "SwiftUI"])
    #expect(try Self.complaint(about: code, Self.views, flags: ["-package-name", "app"]) == nil)
  }
}
