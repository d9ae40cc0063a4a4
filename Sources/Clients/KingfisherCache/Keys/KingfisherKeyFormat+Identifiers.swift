import Foundation

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

  /// Truncated, not rounded; nil where that is not a whole number.
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
