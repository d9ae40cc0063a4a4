import Foundation
import Text

/// What transformers and thumbnail sizes put into a key. Numbers are C's `%f`.
extension SDImageTransformer {
  /// `transformerKey`.
  public func key(_ version: SDWebImageVersion = .latest) -> String {
    switch self {
    case .resizing(let size, let mode):
      "SDImageResizingTransformer({\(Self.text(size.width)),\(Self.text(size.height))},\(mode.rawValue))"
    case .cropping(let rect):
      "SDImageCroppingTransformer({\([rect.x, rect.y, rect.width, rect.height].map(Self.text).joined(separator: ","))})"
    case .roundCorner(let radius, let corners, let width, let color):
      "SDImageRoundCornerTransformer(\(Self.text(radius)),\(corners.rawValue),\(Self.text(width)),"
        + "\(color.map(\.hexadecimal) ?? "(null)"))"
    case .flipping(let horizontal, let vertical):
      "SDImageFlippingTransformer(\(horizontal ? 1 : 0),\(vertical ? 1 : 0))"
    case .rotation(let angle, let fits): "SDImageRotationTransformer(\(Self.text(angle)),\(fits ? 1 : 0))"
    case .tint(let color, let mode):
      version.tintsByMode
        ? "SDImageTintTransformer(\(color.hexadecimal),\((mode ?? .sourceIn).rawValue))"
        : "SDImageTintTransformer(\(color.hexadecimal))"
    case .blur(let radius): "SDImageBlurTransformer(\(Self.text(radius)))"
    case .filter(let name): "SDImageFilterTransformer(\(name))"
    case .custom(let key), .identified(_, let key): key
    }
  }

  static func text(_ number: Double) -> String { String(format: "%f", number) }
}

extension [SDImageTransformer] {
  /// `SDImagePipelineTransformer.transformerKey`; that of the only one where there is one.
  public func key(_ version: SDWebImageVersion = .latest) -> String {
    map { $0.key(version) }.joined(separator: "-")
  }
}

extension SDImageThumbnail {
  /// `Thumbnail({W,H},P)`.
  public var mark: String {
    "Thumbnail({\(SDImageTransformer.text(width)),\(SDImageTransformer.text(height))},\(preservesAspectRatio ? 1 : 0))"
  }
}

extension SDImageTransformer.Color {
  /// `#aarrggbb`, each component rounded to the nearest byte (`sd_hexString`).
  var hexadecimal: String {
    "#" + [alpha, red, green, blue].map { String(format: "%02x", Self.byte($0)) }.joined()
  }

  /// As a `float` is rounded.
  private static func byte(_ component: Double) -> Int {
    let value = Float(component * 255).rounded(.toNearestOrAwayFromZero)
    return value.isFinite ? Int(Swift.min(Swift.max(value, 0), 255)) : 0
  }

  var isInRange: Bool { [red, green, blue, alpha].allSatisfy { (0...1).contains($0) } }
}

/// What this version has no key for.
extension SDImageTransformer {
  /// Why, in a sentence for people; nil where there is a key.
  package func unsupportedReason(_ version: SDWebImageVersion) -> String? {
    switch self {
    case .roundCorner(_, _, _, .some(let color)) where !color.isInRange: Self.outOfRange
    case .tint(let color, _) where !color.isInRange: Self.outOfRange
    case .tint(_, .some) where !version.tintsByMode:
      "SDWebImage \(version) has no blend mode for a tint; it came with 5.20.0, so leave blendMode out"
    case .custom(""), .identified(_, ""):
      "an empty transformerKey leaves only a hyphen in the key; give the transformer's own"
    case .identified(let transformer, _): transformer.unsupportedReason(version)
    case let other where !other.numbers.allSatisfy(\.isFinite): "a number is infinite or none at all"
    default: nil
    }
  }

  private static let outOfRange =
    "a colour component lies outside 0 to 1, and the key holds bytes; use a colour of sRGB"

  private var numbers: [Double] {
    switch self {
    case .resizing(let size, _): [size.width, size.height]
    case .cropping(let rect): [rect.x, rect.y, rect.width, rect.height]
    case .roundCorner(let radius, _, let width, _): [radius, width]
    case .rotation(let angle, _): [angle]
    case .blur(let radius): [radius]
    default: []
    }
  }
}

extension SDImageThumbnail {
  /// Why this version has no key for it; nil where it has.
  package func unsupportedReason(_ version: SDWebImageVersion) -> String? {
    if !version.hasThumbnails {
      return "SDWebImage \(version) has no thumbnail size for a request; it came with 5.7.0"
    }
    return width.isFinite && height.isFinite ? nil : "a number is infinite or none at all"
  }
}
