import Foundation
import Testing

@testable import KingfisherCache

@Suite(.timeLimit(.minutes(10)))
struct ProcessorTests {
  private static let prefix = "com.onevcat.Kingfisher."
  private static let size = CGSize(width: 100, height: 50)
  private static let red = KFCrossPlatformColor.rgba(red: 1, green: 0, blue: 0, alpha: 1)

  @Test(arguments: [
    (
      ResizingImageProcessor(referenceSize: size) as any ImageProcessor,
      "ResizingImageProcessor((100.0, 50.0))"
    ),
    (
      ResizingImageProcessor(referenceSize: size, mode: .aspectFit),
      "ResizingImageProcessor((100.0, 50.0), aspectFit)"
    ),
    (DownsamplingImageProcessor(size: size), "DownsamplingImageProcessor((100.0, 50.0))"),
    (RoundCornerImageProcessor(cornerRadius: 20), "RoundCornerImageProcessor(20.0)"),
    (
      RoundCornerImageProcessor(radius: .widthFraction(0.5), targetSize: size, roundingCorners: [.topLeft]),
      "RoundCornerImageProcessor(w_frac_0.5_(100.0, 50.0)_corner(1))"
    ),
    (BlurImageProcessor(blurRadius: 4), "BlurImageProcessor(4.0)"),
    (OverlayImageProcessor(overlay: red), "OverlayImageProcessor((1.00,0.00,0.00,1.00)_0.5)"),
    (TintImageProcessor(tint: red), "TintImageProcessor((1.00,0.00,0.00,1.00))"),
    (
      ColorControlsProcessor(brightness: 0, contrast: 1, saturation: 1.5, inputEV: -1),
      "ColorControlsProcessor(0.0_1.0_1.5_-1.0)"
    ),
    (BlackWhiteProcessor(), "BlackWhiteProcessor"),
    (CroppingImageProcessor(size: size), "CroppingImageProcessor((100.0, 50.0)_(0.5, 0.5))"),
    (BlendImageProcessor(blendMode: .multiply), "BlendImageProcessor(1,1.0)"),
    (
      BorderImageProcessor(border: Border()),
      "BorderImageProcessor(Border(color: UIExtendedGrayColorSpace 0 1, lineWidth: 4.0, "
        + "radius: Kingfisher.Radius.point(0.0), roundingCorners: Kingfisher.RectCorner(rawValue: 15))"
    ),
  ])
  func anIdentifierIsKingfishers(processor: any ImageProcessor, identifier: String) {
    #expect(processor.identifier == Self.prefix + identifier)
  }

  @Test func identifiersFollowTheVersion() {
    let tint = TintImageProcessor(tint: Self.red)
    #expect(tint.identifier(in: KingfisherVersion(7, 0, 0)) == Self.prefix + "TintImageProcessor(#ff0000ff)")
    let chain = tint |> HalvingProcessor()
    #expect(
      chain.identifier(in: KingfisherVersion(5, 0, 0))
        == Self.prefix + "TintImageProcessor(#ff0000ff)|>com.example.half")
  }

  @Test func chainsAreFlatAndTheDefaultLeavesAnEmptySide() {
    let chain = BlurImageProcessor(blurRadius: 4) |> BlackWhiteProcessor() |> HalvingProcessor()
    #expect(
      chain.identifier
        == "com.onevcat.Kingfisher.BlurImageProcessor(4.0)|>com.onevcat.Kingfisher.BlackWhiteProcessor"
        + "|>com.example.half")
    let builder = DefaultImageProcessor.default.append(another: BlackWhiteProcessor())
    #expect(builder.identifier == "|>com.onevcat.Kingfisher.BlackWhiteProcessor")
    #expect(DefaultImageProcessor.default.identifier.isEmpty)
  }
}
