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

  /// Points.
  public struct Size: Hashable, Sendable {
    /// Points.
    public var width: Double
    /// Points.
    public var height: Double

    /// A size in points.
    public init(width: Double, height: Double) {
      self.width = width
      self.height = height
    }
  }

  /// A place in an image, as a part of its width and height.
  public struct Point: Hashable, Sendable {
    /// From 0, the left edge, to 1.
    public var x: Double
    /// From 0, the top edge, to 1.
    public var y: Double

    /// A place by its two parts.
    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// Kingfisher's `ContentMode`: how an image takes a reference size.
  public enum ContentMode: String, Hashable, Sendable, CaseIterable {
    /// Width and height become those of the reference, even if that distorts the image.
    case none
    /// The whole image fits into the reference.
    case aspectFit
    /// The image covers the reference. Nothing is cut off.
    case aspectFill
  }

  /// `Radius`: fractions are of the target's width or height (since 5.14.0).
  public enum Radius: Hashable, Sendable {
    /// A part of the target's width, 0 to 1.
    case widthFraction(Double)
    /// A part of the target's height, 0 to 1.
    case heightFraction(Double)
    /// Points.
    case point(Double)
  }

  /// `RectCorner`: Kingfisher's own bits.
  public struct RectCorner: OptionSet, Hashable, Sendable {
    /// A bit for each corner.
    public let rawValue: Int

    /// The corners of these bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The top left corner.
    public static let topLeft = RectCorner(rawValue: 1)
    /// The top right corner.
    public static let topRight = RectCorner(rawValue: 2)
    /// The bottom left corner.
    public static let bottomLeft = RectCorner(rawValue: 4)
    /// The bottom right corner.
    public static let bottomRight = RectCorner(rawValue: 8)
    /// All four corners, which is the default of Kingfisher's processors.
    public static let all: RectCorner = [.topLeft, .topRight, .bottomLeft, .bottomRight]
  }

  /// `CGBlendMode`: its names and raw values.
  public enum BlendMode: Int, Hashable, Sendable, CaseIterable {
    /// The separable modes, which work on each component alone.
    case normal, multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, softLight, hardLight
    /// `difference` and `exclusion` are separable too; the others mix hue, saturation and luminosity.
    case difference, exclusion, hue, saturation, color, luminosity
    /// Porter and Duff's operators, which go by the alphas.
    case clear, copy, sourceIn, sourceOut, sourceAtop, destinationOver, destinationIn, destinationOut
    /// The last of these operators, and two sums that are clamped.
    case destinationAtop, xor, plusDarker, plusLighter
  }

  /// A colour by the constructor that made it, since its description tells them apart. Components are sRGB and may
  /// lie outside 0...1 (wide gamut).
  public enum Color: Hashable, Sendable {
    /// `UIColor(red:green:blue:alpha:)` and its kin.
    case rgba(red: Double, green: Double, blue: Double, alpha: Double)
    /// `UIColor(white:alpha:)`, `.black`, `.white`, `.clear`, the grey family.
    case gray(white: Double, alpha: Double)

    /// As `UIColor(red:green:blue:alpha:)`.
    public init(red: Double, green: Double, blue: Double, alpha: Double) {
      self = .rgba(red: red, green: green, blue: blue, alpha: alpha)
    }

    /// As `UIColor(white:alpha:)`.
    public init(white: Double, alpha: Double) { self = .gray(white: white, alpha: alpha) }
  }

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

extension BuiltInProcessor.Size {
  fileprivate var value: ProcessorValue { .numbers([width, height]) }
}

extension BuiltInProcessor.Radius {
  /// The initialiser's label: points have one of their own.
  fileprivate var label: String { if case .point = self { "cornerRadius" } else { "radius" } }

  fileprivate var value: ProcessorValue {
    if case .point(let points) = self { .number(points) } else { measure }
  }

  fileprivate var measure: ProcessorValue {
    switch self {
    case .widthFraction(let part): .measure("widthFraction", part)
    case .heightFraction(let part): .measure("heightFraction", part)
    case .point(let points): .measure("point", points)
    }
  }
}

extension BuiltInProcessor.RectCorner {
  fileprivate var value: ProcessorValue { .corners(UInt(bitPattern: rawValue)) }
}

extension BuiltInProcessor.Color {
  fileprivate var value: ProcessorValue {
    switch self {
    case .rgba(let red, let green, let blue, let alpha):
      .color(.rgba(red: red, green: green, blue: blue, alpha: alpha))
    case .gray(let white, let alpha): .color(.gray(white: white, alpha: alpha))
    }
  }
}
