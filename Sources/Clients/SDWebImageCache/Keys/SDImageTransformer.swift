import Foundation
import Text

// The types of arguments that the libraries share.
@_exported import enum Text.BlendModeValue
@_exported import enum Text.ColorValue

/// One of SDWebImage's own transformers with its arguments, as an app makes it: its mark and its drawing follow from its row
/// (`TransformerKey`).
///
/// Sizes are in points of the image that is transformed: pixels divided by its scale, which does not belong to a mark.
public struct SDImageTransformer: Hashable, Sendable {
  /// The transformer as its row has it.
  package let call: ProcessorCall

  private init(_ name: String, _ values: ProcessorValues) { self.init(ProcessorCall(name, values)) }
  package init(_ call: ProcessorCall) { self.call = call }

  /// `SDImageResizingTransformer`: draws at a size.
  public static func resizing(size: CGSize, scaleMode: ScaleMode) -> SDImageTransformer {
    Self(
      "resize",
      ["size": .numbers([Double(size.width), Double(size.height)]), "scaleMode": .word("\(scaleMode)")])
  }

  /// `SDImageCroppingTransformer`: cuts out a rectangle.
  public static func cropping(rect: CGRect) -> SDImageTransformer {
    let numbers = [rect.origin.x, rect.origin.y, rect.size.width, rect.size.height]
    return Self("crop", ["rect": .numbers(numbers.map { Double($0) })])
  }

  /// `SDImageRoundCornerTransformer`: rounds corners, and draws a border where the width is more than 0.
  public static func roundCorner(
    radius: Double, corners: RectCorner, borderWidth: Double, borderColor: Color?
  ) -> SDImageTransformer {
    Self(
      "roundCorner",
      [
        "radius": .number(radius), "corners": .corners(corners.rawValue), "borderWidth": .number(borderWidth),
        "borderColor": borderColor?.value,
      ])
  }

  /// `SDImageFlippingTransformer`.
  public static func flipping(horizontal: Bool, vertical: Bool) -> SDImageTransformer {
    Self("flip", ["horizontal": .flag(horizontal), "vertical": .flag(vertical)])
  }

  /// Radians, counterclockwise on iOS.
  public static func rotation(angle: Double, fitSize: Bool) -> SDImageTransformer {
    Self("rotate", ["angle": .number(angle), "fitSize": .flag(fitSize)])
  }

  /// `blendMode`: nil for `SDImageTintTransformer(color:)`. Others since 5.20.0.
  public static func tint(color: Color, blendMode: BlendMode?) -> SDImageTransformer {
    Self("tint", ["color": color.value, "blendMode": blendMode.map { .word("\($0)") }])
  }

  /// `SDImageBlurTransformer`; the radius is in points.
  public static func blur(radius: Double) -> SDImageTransformer { Self("blur", ["radius": .number(radius)]) }

  /// A Core Image filter by its name.
  public static func filter(name: String) -> SDImageTransformer { Self("filter", ["name": .text(name)]) }

  /// An app's own transformer, of which only its `transformerKey` is known.
  public static func custom(key: String) -> SDImageTransformer { Self(.custom(key)) }

  /// `transformerKey`.
  public func key(_ version: SDWebImageVersion = .latest) -> String {
    TransformerKey.all.key(of: call, KeyContext(release: Release(version)))
  }

  /// `SDImageScaleMode`, with its raw values.
  public enum ScaleMode: Int, Hashable, Sendable, CaseIterable {
    /// Width and height become those of the size, even if that distorts the image.
    case fill
    /// The whole image fits into the size.
    case aspectFit
    /// The image covers the size, and what is beyond it is cut off.
    case aspectFill
  }

  /// `UIRectCorner`.
  public struct RectCorner: OptionSet, Hashable, Sendable {
    /// A bit for each corner.
    public let rawValue: UInt

    /// The corners of these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The top left corner.
    public static let topLeft = RectCorner(rawValue: 1)
    /// The top right corner.
    public static let topRight = RectCorner(rawValue: 2)
    /// The bottom left corner.
    public static let bottomLeft = RectCorner(rawValue: 4)
    /// The bottom right corner.
    public static let bottomRight = RectCorner(rawValue: 8)
    /// All bits, which is not the same as the four corners together: the mark holds the number.
    public static let allCorners = RectCorner(rawValue: .max)
  }

  /// `CGBlendMode`.
  public typealias BlendMode = BlendModeValue
  /// `UIColor` or `NSColor`, with the components that its `getRed` gives.
  public typealias Color = ColorValue
}

/// A request's `imageThumbnailPixelSize` and `imagePreserveAspectRatio` (5.5.0 and later, together with
/// transformers 5.7.0 and later).
public struct SDImageThumbnail: Hashable, Sendable {
  /// The thumbnail size as its row has it.
  package let call: ProcessorCall

  /// The greatest width and height in pixels; an image that preserves its aspect ratio fits into them.
  public init(width: Double, height: Double, preservesAspectRatio: Bool = true) {
    call = ProcessorCall(
      "thumbnail", ["size": .numbers([width, height]), "preserveAspectRatio": .flag(preservesAspectRatio)])
  }
}
