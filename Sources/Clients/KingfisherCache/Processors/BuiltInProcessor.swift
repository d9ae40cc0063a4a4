// Names are those of Kingfisher's public types.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
import Text

/// One of Kingfisher's own processors with its arguments: its key and its drawing follow from its row (`ProcessorKey`).
/// The functions with the names of Kingfisher's types make it.
///
/// Sizes are in points; pixels follow from the request's scale factor, which does not belong to a key.
public struct BuiltInProcessor: ImageProcessor, Hashable {
  /// The processor as its row has it.
  package let call: ProcessorCall

  package init(_ call: ProcessorCall) { self.call = call }

  fileprivate init(_ name: String, _ values: ProcessorValues) { self.init(ProcessorCall(name, values)) }

  /// The newest version's.
  public var identifier: String { identifier(in: .latest) }

  public func identifier(in version: KingfisherVersion) -> String {
    KingfisherKeyFormat(version: version).identifier(of: [call])
  }
}

/// Draws an image at the size that a reference size in points gives by its mode; it may be enlarged. `.none` distorts,
/// `.aspectFill` crops nothing.
public func ResizingImageProcessor(
  referenceSize: CGSize, mode: BuiltInProcessor.ContentMode = .none
) -> BuiltInProcessor {
  BuiltInProcessor("resizing", ["referenceSize": referenceSize.value, "mode": .word(mode.rawValue)])
}

/// Decodes an image no larger than needed: its longer side becomes at most that of a size in points. Never enlarges.
public func DownsamplingImageProcessor(size: CGSize) -> BuiltInProcessor {
  BuiltInProcessor("downsampling", ["size": size.value])
}

/// Cuts a rectangle of a size in points out of an image, by default from its middle.
public func CroppingImageProcessor(
  size: CGSize, anchor: CGPoint = CGPoint(x: 0.5, y: 0.5)
) -> BuiltInProcessor {
  BuiltInProcessor(
    "cropping", ["size": size.value, "anchor": .numbers([Double(anchor.x), Double(anchor.y)])])
}

/// Rounds the corners of an image; the radius is in points, or a part of the target (5.14.0 and later). Without a
/// background the corners are transparent.
public func RoundCornerImageProcessor(
  radius: BuiltInProcessor.Radius, targetSize: CGSize? = nil,
  roundingCorners: BuiltInProcessor.RectCorner = .all, backgroundColor: KFCrossPlatformColor? = nil
) -> BuiltInProcessor {
  BuiltInProcessor(
    "roundCorner",
    [
      radius.label: radius.value, "targetSize": targetSize?.value, "roundingCorners": roundingCorners.value,
      "backgroundColor": backgroundColor?.value,
    ])
}

/// Rounds the corners of an image by a radius in points.
public func RoundCornerImageProcessor(
  cornerRadius: Double, targetSize: CGSize? = nil,
  roundingCorners: BuiltInProcessor.RectCorner = .all, backgroundColor: KFCrossPlatformColor? = nil
) -> BuiltInProcessor {
  RoundCornerImageProcessor(
    radius: .point(cornerRadius), targetSize: targetSize, roundingCorners: roundingCorners,
    backgroundColor: backgroundColor)
}

/// Draws a border along the edge of an image (7.0.0 and later).
public func BorderImageProcessor(border: Border) -> BuiltInProcessor {
  BuiltInProcessor(
    "border",
    [
      "color": border.color.value, "lineWidth": .number(border.lineWidth), "radius": border.radius.measure,
      "roundingCorners": border.roundingCorners.value,
    ])
}

/// Lays a colour over an image. The fraction 0 shows the colour alone, 1 the image alone.
public func OverlayImageProcessor(
  overlay: KFCrossPlatformColor, fraction: Double = 0.5
) -> BuiltInProcessor {
  BuiltInProcessor("overlay", ["color": overlay.value, "fraction": .number(fraction)])
}

/// Tints an image with a colour.
public func TintImageProcessor(tint: KFCrossPlatformColor) -> BuiltInProcessor {
  BuiltInProcessor("tint", ["color": tint.value])
}

/// Changes brightness, contrast, saturation (`CIColorControls`) and exposure, which is in stops.
public func ColorControlsProcessor(
  brightness: Double, contrast: Double, saturation: Double, inputEV: Double
) -> BuiltInProcessor {
  BuiltInProcessor(
    "colorControls",
    [
      "brightness": .number(brightness), "contrast": .number(contrast), "saturation": .number(saturation),
      "inputEV": .number(inputEV),
    ])
}

/// Makes an image black and white.
public func BlackWhiteProcessor() -> BuiltInProcessor { BuiltInProcessor("blackWhite", [:]) }

/// Blends an image with a background; by default the whole image and no background.
public func BlendImageProcessor(
  blendMode: BuiltInProcessor.BlendMode, alpha: Double = 1, backgroundColor: KFCrossPlatformColor? = nil
) -> BuiltInProcessor {
  BuiltInProcessor(
    "blend",
    [
      "blendMode": .word("\(blendMode)"), "alpha": .number(alpha), "backgroundColor": backgroundColor?.value,
    ])
}

/// Blurs an image; the Gaussian's radius is in points.
public func BlurImageProcessor(blurRadius: Double) -> BuiltInProcessor {
  BuiltInProcessor("blur", ["blurRadius": .number(blurRadius)])
}
