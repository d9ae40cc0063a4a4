import Foundation
import Testing
import Text

@testable import KingfisherCache

@Suite("Kingfisher's keys", .timeLimit(.minutes(10)))
struct KeyTests {
  /// What follows the `@` of a chain that an app hands over as modifiers.
  @Test(
    arguments: [
      ([], ""), ([DefaultImageProcessor.default], ""), ([BlackWhiteProcessor()], "|>P.BlackWhiteProcessor"),
      ([DefaultImageProcessor.default, BlackWhiteProcessor()], "|>P.BlackWhiteProcessor"),
      ([BlackWhiteProcessor(), DefaultImageProcessor.default], "|>P.BlackWhiteProcessor|>"),
      ([BuiltInProcessor(.custom(""))], "|>"),
      ([BuiltInProcessor(.custom("a")), BuiltInProcessor(.custom("b"))], "|>a|>b"),
      ([BuiltInProcessor(ProcessorCall("blackWhite", as: "a"))], "|>a"),
      ([DownsamplingImageProcessor(size: size)], "P.DownsamplingImageProcessor((8.0, 8.0))"),
      (
        [DownsamplingImageProcessor(size: size), BlackWhiteProcessor()],
        "P.DownsamplingImageProcessor((8.0, 8.0))|>P.BlackWhiteProcessor"
      ),
      (
        [BlackWhiteProcessor(), DownsamplingImageProcessor(size: size)],
        "|>P.BlackWhiteProcessor|>P.DownsamplingImageProcessor((8.0, 8.0))"
      ),
      (
        [DefaultImageProcessor.default, DownsamplingImageProcessor(size: size)],
        "|>P.DownsamplingImageProcessor((8.0, 8.0))"
      ),
    ] as [([BuiltInProcessor], String)])
  func modifiersAreAppendedToTheDefaultProcessor(chain: [BuiltInProcessor], identifier: String) {
    let format = KingfisherKeyFormat(version: .latest, style: .builder)
    #expect(
      format.identifier(of: chain.map(\.call)) == identifier.replacing("P.", with: KingfisherKeyFormat.prefix)
    )
  }

  @Test(
    arguments: [
      ([DefaultImageProcessor.default, DefaultImageProcessor.default], "|>"),
      ([BuiltInProcessor(.custom("a")), DefaultImageProcessor.default], "a|>"),
      ([BuiltInProcessor(.custom("")), BuiltInProcessor(.custom("b"))], "|>b"),
    ] as [([BuiltInProcessor], String)])
  func anEmptyIdentifierLeavesItsPlaceInAComposition(chain: [BuiltInProcessor], identifier: String) {
    #expect(KingfisherKeyFormat(version: .latest).identifier(of: chain.map(\.call)) == identifier)
  }

  @Test(arguments: [
    (-0.5, "-0.5"), (1e16, "1e+16"), (9_007_199_254_740_992, "9007199254740992.0"), (1e-5, "1e-05"),
    (0.0001, "0.0001"), (1 / 3, "0.3333333333333333"), (-0.0, "-0.0"), (.infinity, "inf"), (.nan, "nan"),
  ])
  func numbersPrintAsSwiftPrintsThem(value: Double, text: String) {
    #expect(
      KingfisherKeyFormat(version: .latest).identifier(of: [BlurImageProcessor(blurRadius: value).call])
        == "com.onevcat.Kingfisher.BlurImageProcessor(\(text))")
  }

  @Test func aRadiusPrintsDifferentlyInABorder() {
    let format = KingfisherKeyFormat(version: .latest)
    let border = BorderImageProcessor(
      border: Border(
        color: .rgba(red: 1 / 3, green: 1e-5, blue: 1_234_567, alpha: 0.65098), lineWidth: 0.5,
        radius: .heightFraction(0.25), roundingCorners: []))
    #expect(
      format.identifier(of: [border.call])
        == "com.onevcat.Kingfisher.BorderImageProcessor(Border(color: UIExtendedSRGBColorSpace 0.333333 1e-05 "
        + "1.23457e+06 0.65098, lineWidth: 0.5, radius: Kingfisher.Radius.heightFraction(0.25), "
        + "roundingCorners: Kingfisher.RectCorner(rawValue: 0))")
  }

  private static let size = CGSize(width: 8, height: 8)
}
