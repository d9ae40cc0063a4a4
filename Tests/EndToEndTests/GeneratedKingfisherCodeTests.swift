import Foundation
import TestSupport
import Testing

/// The code that `preheat code --swift` prints for a Kingfisher app compiles with this package's own `KingfisherCache`.
/// What is a view on a device stands in a few lines here, over the library's manager.
@Suite(.timeLimit(.minutes(10)), .enabled(if: SwiftCompiler.isThere))
struct GeneratedKingfisherCodeTests {
  private static let job = """
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
      func downsampling(size: BuiltInProcessor.Size) -> KFImage {
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

  @Test(arguments: ["options", "builder"]) func itCompilesWithTheLibrary(style: String) async throws {
    let folder = try TemporaryFolder()
    try Data("style \(style)\n\(Self.job)\n".utf8).write(to: folder.file("app.job"))
    let printed = try BuiltCommand.run(["code", "app.job", "--swift", "--tests"], in: folder.url)
    try #require(printed.status == 0, "\(printed.messages)")
    let modules = ["Kingfisher", "UIKit", "SwiftUI"].map { "import \($0)" }
    let lines = printed.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines.filter(modules.contains).count == 2)
    let code = ["import KingfisherCache"] + lines.filter { !modules.contains($0) }
    try Data(code.joined(separator: "\n").utf8).write(to: folder.file("Warmed.swift"))
    try Data(Self.views.utf8).write(to: folder.file("Views.swift"))
    let arguments = [
      "-typecheck", "-swift-version", "6", "-package-name", "app",
      "-I", BuiltCommand.products.appendingPathComponent("Modules").path,
      folder.file("Warmed.swift").path, folder.file("Views.swift").path,
    ]
    let complaint = try await OwnThread { try SwiftCompiler.complaint(arguments) }.value
    #expect(complaint == nil, "\(complaint ?? "")\n\(printed.output)")
  }
}
