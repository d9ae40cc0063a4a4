// Names are those of Kingfisher's public types.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Text

/// One of Kingfisher's own processors with its arguments, as an app spells them.
///
/// Sizes are in points; pixels follow from the request's scale factor, which does not belong to a key.
public indirect enum BuiltInProcessor: Hashable, Sendable {
  /// Its identifier is empty.
  case `default`
  /// `ResizingImageProcessor`: draws at the size that the mode gives; may enlarge.
  case resizing(referenceSize: Size, mode: ContentMode)
  /// `DownsamplingImageProcessor`: decodes no larger than needed; never enlarges.
  case downsampling(size: Size)
  /// `RoundCornerImageProcessor`; without a target size the image keeps its own.
  case roundCorner(radius: Radius, targetSize: Size?, corners: RectCorner, backgroundColor: Color?)
  /// `BlurImageProcessor`; the radius is in points.
  case blur(blurRadius: Double)
  /// `OverlayImageProcessor`; with the fraction 0 the colour hides the image, with 1 it is not seen.
  case overlay(color: Color, fraction: Double)
  /// `TintImageProcessor`.
  case tint(color: Color)
  /// `ColorControlsProcessor`; `inputEV` is the exposure in stops.
  case colorControls(brightness: Double, contrast: Double, saturation: Double, inputEV: Double)
  /// `BlackWhiteProcessor`.
  case blackWhite
  /// The anchor goes from (0, 0), top left, to (1, 1).
  case cropping(size: Size, anchor: Point)
  /// `BlendImageProcessor`; the alpha goes from 0 to 1.
  case blend(mode: BlendMode, alpha: Double, backgroundColor: Color?)
  /// `BorderImageProcessor` (7.0.0 and later); the line width is in points.
  case border(color: Color, lineWidth: Double, radius: Radius, corners: RectCorner)
  /// An app's own processor, of which only the identifier is known: nothing can be drawn.
  case custom(identifier: String)
  /// Draws like `processor` but is known to the app under another identifier.
  case identified(BuiltInProcessor, as: String)

  /// The processor as its row has it (``ProcessorKey``).
  package var call: ProcessorCall {
    switch self {
    case .default: ProcessorCall("default")
    case .resizing(let size, let mode):
      ProcessorCall("resizing", ["referenceSize": size.value, "mode": .word(mode.rawValue)])
    case .downsampling(let size): ProcessorCall("downsampling", ["size": size.value])
    case .roundCorner(let radius, let target, let corners, let background):
      ProcessorCall(
        "roundCorner",
        [
          radius.label: radius.value, "targetSize": target?.value, "roundingCorners": corners.value,
          "backgroundColor": background?.value,
        ])
    case .blur(let radius): ProcessorCall("blur", ["blurRadius": .number(radius)])
    case .overlay(let color, let fraction):
      ProcessorCall("overlay", ["color": color.value, "fraction": .number(fraction)])
    case .tint(let color): ProcessorCall("tint", ["color": color.value])
    case .colorControls(let brightness, let contrast, let saturation, let inputEV):
      ProcessorCall(
        "colorControls",
        [
          "brightness": .number(brightness), "contrast": .number(contrast), "saturation": .number(saturation),
          "inputEV": .number(inputEV),
        ])
    case .blackWhite: ProcessorCall("blackWhite")
    case .cropping(let size, let anchor):
      ProcessorCall("cropping", ["size": size.value, "anchor": .numbers([anchor.x, anchor.y])])
    case .blend(let mode, let alpha, let background):
      ProcessorCall(
        "blend",
        ["blendMode": .word("\(mode)"), "alpha": .number(alpha), "backgroundColor": background?.value])
    case .border(let color, let width, let radius, let corners):
      ProcessorCall(
        "border",
        [
          "color": color.value, "lineWidth": .number(width), "radius": radius.measure,
          "roundingCorners": corners.value,
        ])
    case .custom(let identifier): .custom(identifier)
    case .identified(let processor, let identifier):
      ProcessorCall(processor.call.name, processor.call.values, as: identifier)
    }
  }
}

/// Draws an image at the size that a reference size in points gives by its mode; it may be enlarged. `.none` distorts,
/// `.aspectFill` crops nothing.
public func ResizingImageProcessor(
  referenceSize: BuiltInProcessor.Size, mode: BuiltInProcessor.ContentMode = .none
) -> any ImageProcessor {
  OwnProcessor(.resizing(referenceSize: referenceSize, mode: mode))
}

/// Decodes an image no larger than needed: its longer side becomes at most that of a size in points. Never enlarges.
public func DownsamplingImageProcessor(size: BuiltInProcessor.Size) -> any ImageProcessor {
  OwnProcessor(.downsampling(size: size))
}

/// Cuts a rectangle of a size in points out of an image, by default from its middle.
public func CroppingImageProcessor(
  size: BuiltInProcessor.Size, anchor: BuiltInProcessor.Point = BuiltInProcessor.Point(x: 0.5, y: 0.5)
) -> any ImageProcessor {
  OwnProcessor(.cropping(size: size, anchor: anchor))
}

/// Rounds the corners of an image; the radius is in points, or a part of the target (5.14.0 and later). Without a
/// background the corners are transparent.
public func RoundCornerImageProcessor(
  radius: BuiltInProcessor.Radius, targetSize: BuiltInProcessor.Size? = nil,
  roundingCorners: BuiltInProcessor.RectCorner = .all, backgroundColor: KFCrossPlatformColor? = nil
) -> any ImageProcessor {
  OwnProcessor(
    .roundCorner(
      radius: radius, targetSize: targetSize, corners: roundingCorners, backgroundColor: backgroundColor))
}

/// Rounds the corners of an image by a radius in points.
public func RoundCornerImageProcessor(
  cornerRadius: Double, targetSize: BuiltInProcessor.Size? = nil,
  roundingCorners: BuiltInProcessor.RectCorner = .all, backgroundColor: KFCrossPlatformColor? = nil
) -> any ImageProcessor {
  RoundCornerImageProcessor(
    radius: .point(cornerRadius), targetSize: targetSize, roundingCorners: roundingCorners,
    backgroundColor: backgroundColor)
}

/// Draws a border along the edge of an image (7.0.0 and later).
public func BorderImageProcessor(border: Border) -> any ImageProcessor {
  OwnProcessor(
    .border(
      color: border.color, lineWidth: border.lineWidth, radius: border.radius,
      corners: border.roundingCorners))
}

/// Lays a colour over an image. The fraction 0 shows the colour alone, 1 the image alone.
public func OverlayImageProcessor(
  overlay: KFCrossPlatformColor, fraction: Double = 0.5
) -> any ImageProcessor {
  OwnProcessor(.overlay(color: overlay, fraction: fraction))
}

/// Tints an image with a colour.
public func TintImageProcessor(tint: KFCrossPlatformColor) -> any ImageProcessor {
  OwnProcessor(.tint(color: tint))
}

/// Changes brightness, contrast, saturation (`CIColorControls`) and exposure, which is in stops.
public func ColorControlsProcessor(
  brightness: Double, contrast: Double, saturation: Double, inputEV: Double
) -> any ImageProcessor {
  OwnProcessor(
    .colorControls(brightness: brightness, contrast: contrast, saturation: saturation, inputEV: inputEV))
}

/// Makes an image black and white.
public func BlackWhiteProcessor() -> any ImageProcessor { OwnProcessor(.blackWhite) }

/// Blends an image with a background; by default the whole image and no background.
public func BlendImageProcessor(
  blendMode: BuiltInProcessor.BlendMode, alpha: Double = 1, backgroundColor: KFCrossPlatformColor? = nil
) -> any ImageProcessor {
  OwnProcessor(.blend(mode: blendMode, alpha: alpha, backgroundColor: backgroundColor))
}

/// Blurs an image; the Gaussian's radius is in points.
public func BlurImageProcessor(blurRadius: Double) -> any ImageProcessor {
  OwnProcessor(.blur(blurRadius: blurRadius))
}
