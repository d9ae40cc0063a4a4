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

/// Draws an image at the size that a reference size gives by its mode; it may be enlarged. Kingfisher's `ResizingImageProcessor`.
public struct ResizingImageProcessor: BuiltInImageProcessor, Hashable {
  /// Points.
  public var referenceSize: BuiltInProcessor.Size
  /// `.none` distorts; `.aspectFill` crops nothing.
  public var mode: BuiltInProcessor.ContentMode

  /// A size in points, and what is done where the image has another shape.
  public init(referenceSize: BuiltInProcessor.Size, mode: BuiltInProcessor.ContentMode = .none) {
    self.referenceSize = referenceSize
    self.mode = mode
  }

  var builtIn: BuiltInProcessor { .resizing(referenceSize: referenceSize, mode: mode) }
}

/// Decodes an image no larger than needed: its longer side becomes at most that of `size`. Never enlarges. Kingfisher's `DownsamplingImageProcessor`.
public struct DownsamplingImageProcessor: BuiltInImageProcessor, Hashable {
  /// Points.
  public var size: BuiltInProcessor.Size

  /// A size in points.
  public init(size: BuiltInProcessor.Size) {
    self.size = size
  }

  var builtIn: BuiltInProcessor { .downsampling(size: size) }
}

/// Cuts a rectangle out of an image. Kingfisher's `CroppingImageProcessor`.
public struct CroppingImageProcessor: BuiltInImageProcessor, Hashable {
  /// Points.
  public var size: BuiltInProcessor.Size
  /// From (0, 0), top left, to (1, 1).
  public var anchor: BuiltInProcessor.Point

  /// A size in points, by default from the middle of the image.
  public init(
    size: BuiltInProcessor.Size, anchor: BuiltInProcessor.Point = BuiltInProcessor.Point(x: 0.5, y: 0.5)
  ) {
    self.size = size
    self.anchor = anchor
  }

  var builtIn: BuiltInProcessor { .cropping(size: size, anchor: anchor) }
}

/// Rounds the corners of an image. Kingfisher's `RoundCornerImageProcessor`.
public struct RoundCornerImageProcessor: BuiltInImageProcessor, Hashable {
  /// Points, or a part of the target's width or height (5.14.0 and later).
  public var radius: BuiltInProcessor.Radius
  /// Points; nil for the size of the image.
  public var targetSize: BuiltInProcessor.Size?
  /// The corners that are rounded.
  public var roundingCorners: BuiltInProcessor.RectCorner
  /// Drawn behind the corners; nil leaves them transparent.
  public var backgroundColor: KFCrossPlatformColor?

  /// A radius in points, or as a part of the target (5.14.0 and later).
  public init(
    radius: BuiltInProcessor.Radius, targetSize: BuiltInProcessor.Size? = nil,
    roundingCorners: BuiltInProcessor.RectCorner = .all, backgroundColor: KFCrossPlatformColor? = nil
  ) {
    self.radius = radius
    self.targetSize = targetSize
    self.roundingCorners = roundingCorners
    self.backgroundColor = backgroundColor
  }

  /// A radius in points.
  public init(
    cornerRadius: Double, targetSize: BuiltInProcessor.Size? = nil,
    roundingCorners: BuiltInProcessor.RectCorner = .all, backgroundColor: KFCrossPlatformColor? = nil
  ) {
    self.init(
      radius: .point(cornerRadius), targetSize: targetSize, roundingCorners: roundingCorners,
      backgroundColor: backgroundColor)
  }

  var builtIn: BuiltInProcessor {
    .roundCorner(
      radius: radius, targetSize: targetSize, corners: roundingCorners, backgroundColor: backgroundColor)
  }
}

/// Draws a border along the edge of an image (7.0.0 and later). Kingfisher's `BorderImageProcessor`.
public struct BorderImageProcessor: BuiltInImageProcessor, Hashable {
  /// The line and the corners it follows.
  public var border: Border

  /// A border along the edge.
  public init(border: Border) {
    self.border = border
  }

  var builtIn: BuiltInProcessor {
    .border(
      color: border.color, lineWidth: border.lineWidth, radius: border.radius, corners: border.roundingCorners
    )
  }
}

/// Lays a colour over an image. Kingfisher's `OverlayImageProcessor`.
public struct OverlayImageProcessor: BuiltInImageProcessor, Hashable {
  /// The colour that is laid over the image.
  public var overlay: KFCrossPlatformColor
  /// 0 shows the colour alone, 1 the image alone.
  public var fraction: Double

  /// An overlay; by default half of the image shows through.
  public init(overlay: KFCrossPlatformColor, fraction: Double = 0.5) {
    self.overlay = overlay
    self.fraction = fraction
  }

  var builtIn: BuiltInProcessor { .overlay(color: overlay, fraction: fraction) }
}

/// Tints an image with a colour. Kingfisher's `TintImageProcessor`.
public struct TintImageProcessor: BuiltInImageProcessor, Hashable {
  /// The colour that the image is tinted with.
  public var tint: KFCrossPlatformColor

  /// A tint with a colour.
  public init(tint: KFCrossPlatformColor) {
    self.tint = tint
  }

  var builtIn: BuiltInProcessor { .tint(color: tint) }
}

/// Changes brightness, contrast, saturation and exposure. Kingfisher's `ColorControlsProcessor`.
public struct ColorControlsProcessor: BuiltInImageProcessor, Hashable {
  /// Added to each component, -1 to 1; 0 changes nothing (`CIColorControls`).
  public var brightness: Double
  /// 1 changes nothing (`CIColorControls`).
  public var contrast: Double
  /// 0 is grey, 1 changes nothing (`CIColorControls`).
  public var saturation: Double
  /// Exposure, in stops.
  public var inputEV: Double

  /// All four have to be given, as in Kingfisher.
  public init(brightness: Double, contrast: Double, saturation: Double, inputEV: Double) {
    self.brightness = brightness
    self.contrast = contrast
    self.saturation = saturation
    self.inputEV = inputEV
  }

  var builtIn: BuiltInProcessor {
    .colorControls(brightness: brightness, contrast: contrast, saturation: saturation, inputEV: inputEV)
  }
}

/// Makes an image black and white. Kingfisher's `BlackWhiteProcessor`.
public struct BlackWhiteProcessor: BuiltInImageProcessor, Hashable {
  /// It has no parameters.
  public init() {}

  var builtIn: BuiltInProcessor { .blackWhite }
}

/// Blends an image with a background. Kingfisher's `BlendImageProcessor`.
public struct BlendImageProcessor: BuiltInImageProcessor, Hashable {
  /// How image and background are mixed.
  public var blendMode: BuiltInProcessor.BlendMode
  /// How much of the image counts, 0 to 1.
  public var alpha: Double
  /// Drawn before the image; nil for none.
  public var backgroundColor: KFCrossPlatformColor?

  /// A mode, and by default the whole image and no background.
  public init(
    blendMode: BuiltInProcessor.BlendMode, alpha: Double = 1, backgroundColor: KFCrossPlatformColor? = nil
  ) {
    self.blendMode = blendMode
    self.alpha = alpha
    self.backgroundColor = backgroundColor
  }

  var builtIn: BuiltInProcessor {
    .blend(mode: blendMode, alpha: alpha, backgroundColor: backgroundColor)
  }
}

/// Blurs an image. Kingfisher's `BlurImageProcessor`.
public struct BlurImageProcessor: BuiltInImageProcessor, Hashable {
  /// Points of the Gaussian's radius.
  public var blurRadius: Double

  /// A blur with a radius in points.
  public init(blurRadius: Double) {
    self.blurRadius = blurRadius
  }

  var builtIn: BuiltInProcessor { .blur(blurRadius: blurRadius) }
}
