import ClientKit
import KingfisherCache
import Text

/// A processor as Swift makes it. Arguments are spelled without the names of their types, which differ between UIKit
/// and `KingfisherCache`: the same text compiles with both.
struct ProcessorCode {
  let text: String

  init(_ processor: BuiltInProcessor) {
    text =
      switch processor {
      case .default: "DefaultImageProcessor.default"
      case .resizing(let size, let mode):
        Self.call(
          "ResizingImageProcessor",
          ["referenceSize: \(Self.code(size))", mode == .none ? nil : "mode: .\(mode.rawValue)"])
      case .downsampling(let size): Self.call("DownsamplingImageProcessor", ["size: \(Self.code(size))"])
      case .roundCorner(let radius, let target, let corners, let background):
        Self.call(
          "RoundCornerImageProcessor",
          [
            Self.code(radius), target.map { "targetSize: \(Self.code($0))" }, Self.code(corners),
            Self.background(background),
          ])
      case .blur(let radius): Self.call("BlurImageProcessor", ["blurRadius: \(Self.number(radius))"])
      case .overlay(let color, let fraction):
        Self.call(
          "OverlayImageProcessor", ["overlay: \(Self.code(color))", "fraction: \(Self.number(fraction))"])
      case .tint(let color): Self.call("TintImageProcessor", ["tint: \(Self.code(color))"])
      case .colorControls(let brightness, let contrast, let saturation, let inputEV):
        Self.call(
          "ColorControlsProcessor",
          [
            "brightness: \(Self.number(brightness))", "contrast: \(Self.number(contrast))",
            "saturation: \(Self.number(saturation))", "inputEV: \(Self.number(inputEV))",
          ])
      case .blackWhite: Self.call("BlackWhiteProcessor", [])
      case .cropping(let size, let anchor):
        Self.call(
          "CroppingImageProcessor",
          [
            "size: \(Self.code(size))",
            "anchor: .init(x: \(Self.number(anchor.x)), y: \(Self.number(anchor.y)))",
          ])
      case .blend(let mode, let alpha, let background):
        Self.call(
          "BlendImageProcessor",
          [
            "blendMode: .\(mode)", "alpha: \(Self.number(alpha))",
            Self.background(background),
          ])
      case .border(let color, let width, let radius, let corners):
        Self.call(
          "BorderImageProcessor",
          [
            "border: "
              + Self.call(
                "Border",
                [
                  "color: \(Self.code(color))", "lineWidth: \(Self.number(width))",
                  "radius: \(Self.value(radius))", Self.code(corners),
                ])
          ])
      case .custom(let identifier), .identified(_, let identifier):
        Self.call("WarmedProcessor", ["identifier: \(SwiftLiteral.string(identifier))"])
      }
  }

  private static func call(_ name: String, _ arguments: [String?]) -> String {
    "\(name)(\(arguments.compactMap { $0 }.joined(separator: ", ")))"
  }

  static func number(_ value: Double) -> String { NumberText.plain(value) }

  static func code(_ size: BuiltInProcessor.Size) -> String {
    ".init(width: \(number(size.width)), height: \(number(size.height)))"
  }

  private static func code(_ radius: BuiltInProcessor.Radius) -> String {
    if case .point(let points) = radius { return "cornerRadius: \(number(points))" }
    return "radius: \(value(radius))"
  }

  private static func value(_ radius: BuiltInProcessor.Radius) -> String {
    switch radius {
    case .widthFraction(let part): ".widthFraction(\(number(part)))"
    case .heightFraction(let part): ".heightFraction(\(number(part)))"
    case .point(let points): ".point(\(number(points)))"
    }
  }

  private static func code(_ corners: BuiltInProcessor.RectCorner) -> String? {
    guard corners != .all else { return nil }
    let names: [(BuiltInProcessor.RectCorner, String)] = [
      (.topLeft, ".topLeft"), (.topRight, ".topRight"), (.bottomLeft, ".bottomLeft"),
      (.bottomRight, ".bottomRight"),
    ]
    let present = names.filter { corners.contains($0.0) }.map(\.1)
    return "roundingCorners: [\(present.joined(separator: ", "))]"
  }

  private static func background(_ color: BuiltInProcessor.Color?) -> String? {
    color.map { "backgroundColor: \(code($0))" }
  }

  private static func code(_ color: BuiltInProcessor.Color) -> String {
    switch color {
    case .rgba(let red, let green, let blue, let alpha):
      ".init(red: \(number(red)), green: \(number(green)), blue: \(number(blue)), alpha: \(number(alpha)))"
    case .gray(let white, let alpha): ".init(white: \(number(white)), alpha: \(number(alpha)))"
    }
  }
}
