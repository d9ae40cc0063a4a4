import Foundation
import Text

extension KingfisherKeyFormat {
  /// `ImageProcessor.identifier` of a chain as the app composes it; empty for none and for the default alone.
  ///
  /// In builder style the chain is appended to the default processor. The modifier `downsampling(size:)` is the
  /// exception (since 6.0.0): where it comes first it replaces the default, unless `default` is spelled out
  /// before it.
  package func identifier(of processors: [BuiltInProcessor]) -> String {
    let identifiers = processors.map(identifier)
    guard style == .builder, let first = processors.first else { return identifiers.joined(separator: "|>") }
    switch first {
    case .default, .downsampling: return identifiers.joined(separator: "|>")
    default: return (CollectionOfOne("") + identifiers).joined(separator: "|>")
    }
  }

  /// The identifier of one processor; with the app's own in its place where one is given.
  func identifier(of processor: BuiltInProcessor) -> String {
    switch processor {
    case .default: ""
    case .resizing(let size, .none): name("ResizingImageProcessor", text(of: size))
    case .resizing(let size, let mode): name("ResizingImageProcessor", "\(text(of: size)), \(mode.rawValue)")
    case .downsampling(let size): name("DownsamplingImageProcessor", text(of: size))
    case .roundCorner(let radius, let targetSize, let corners, let background):
      name(
        "RoundCornerImageProcessor",
        text(of: radius) + (targetSize.map { "_" + text(of: $0) } ?? "") + text(of: corners))
        + (background.map { "_" + description(of: $0) } ?? "")
    case .blur(let radius): name("BlurImageProcessor", NumberText.number(radius))
    case .overlay(let color, let fraction):
      name("OverlayImageProcessor", "\(text(of: color))_\(NumberText.number(fraction))")
    case .tint(let color): name("TintImageProcessor", text(of: color))
    case .colorControls(let brightness, let contrast, let saturation, let inputEV):
      name(
        "ColorControlsProcessor",
        [brightness, contrast, saturation, inputEV].map { NumberText.number($0) }.joined(separator: "_"))
    case .blackWhite: Self.prefix + "BlackWhiteProcessor"
    case .cropping(let size, let anchor):
      name(
        "CroppingImageProcessor", "\(text(of: size))_\(NumberText.size(width: anchor.x, height: anchor.y))")
    case .blend(let mode, let alpha, let background):
      name("BlendImageProcessor", "\(mode.rawValue),\(NumberText.number(alpha))")
        + (background.map { "_" + text(of: $0) } ?? "")
    case .border(let color, let lineWidth, let radius, let corners):
      borderName(color: color, lineWidth: lineWidth, radius: radius, corners: corners)
    case .custom(let identifier): identifier
    case .identified(_, let identifier): identifier
    }
  }

  static let prefix = "com.onevcat.Kingfisher."

  private func name(_ processor: String, _ arguments: String) -> String {
    "\(Self.prefix)\(processor)(\(arguments))"
  }

  /// Swift's reflection of the border value stands in the key, and the parenthesis after the processor's name is
  /// never closed.
  private func borderName(
    color: BuiltInProcessor.Color, lineWidth: Double, radius: BuiltInProcessor.Radius,
    corners: BuiltInProcessor.RectCorner
  ) -> String {
    Self.prefix + (version.namesBorders ? "BorderImageProcessor" : "RoundCornerImageProcessor")
      + "(Border(color: \(description(of: color)), lineWidth: \(NumberText.number(lineWidth)), "
      + "radius: \(reflection(of: radius)), "
      + "roundingCorners: Kingfisher.RectCorner(rawValue: \(corners.rawValue)))"
  }

  private func text(of size: BuiltInProcessor.Size) -> String {
    NumberText.size(width: size.width, height: size.height)
  }

  private func text(of radius: BuiltInProcessor.Radius) -> String {
    switch radius {
    case .widthFraction(let fraction): "w_frac_" + NumberText.number(fraction)
    case .heightFraction(let fraction): "h_frac_" + NumberText.number(fraction)
    case .point(let points): NumberText.number(points)
    }
  }

  private func reflection(of radius: BuiltInProcessor.Radius) -> String {
    switch radius {
    case .widthFraction(let fraction): "Kingfisher.Radius.widthFraction(\(NumberText.number(fraction)))"
    case .heightFraction(let fraction): "Kingfisher.Radius.heightFraction(\(NumberText.number(fraction)))"
    case .point(let points): "Kingfisher.Radius.point(\(NumberText.number(points)))"
    }
  }

  /// All four corners print nothing, no corner prints a zero.
  private func text(of corners: BuiltInProcessor.RectCorner) -> String {
    corners == .all ? "" : "_corner(\(corners.rawValue))"
  }
}

extension KingfisherKeyFormat {
  /// A colour as overlay, tint and blend print it.
  func text(of color: BuiltInProcessor.Color) -> String {
    let components = color.components
    if version.printsDecimalColors {
      return "(" + components.map { String(format: "%.2f", $0) }.joined(separator: ",") + ")"
    }
    // Kingfisher shifts the truncated components into one 64-bit number and prints its lower half, so one that lies
    // outside 0...1 spills into its neighbours.
    let bytes = components.map { Self.byte($0) ?? 0 }
    let bits = zip(bytes, [24, 16, 8, 0]).reduce(0) { $0 | $1.0 << $1.1 }
    return String(format: "#%08x", UInt32(truncatingIfNeeded: bits))
  }

  /// Truncated, not rounded; nil where that is no whole number.
  static func byte(_ component: Double) -> Int? {
    Int(exactly: (component * 255).rounded(.towardZero))
  }

  /// What UIKit (iOS 10 and later) prints for the colour object itself: the background of round corners and the
  /// colour of a border. Known from published logs, and no promise of Apple's.
  func description(of color: BuiltInProcessor.Color) -> String {
    let (space, components) =
      switch color {
      case .rgba(let red, let green, let blue, let alpha):
        ("UIExtendedSRGBColorSpace", [red, green, blue, alpha])
      case .gray(let white, let alpha): ("UIExtendedGrayColorSpace", [white, alpha])
      }
    return space + components.map { String(format: " %g", $0) }.joined()
  }
}

extension BuiltInProcessor.Color {
  /// Red, green, blue and alpha, as `getRed` gives them.
  var components: [Double] {
    switch self {
    case .rgba(let red, let green, let blue, let alpha): [red, green, blue, alpha]
    case .gray(let white, let alpha): [white, white, white, alpha]
    }
  }
}
