import Text

/// One of Kingfisher's own processors with its arguments, as an app spells them.
///
/// Sizes are in points; pixels follow from the request's scale factor, which does not belong to a key.
public indirect enum BuiltInProcessor: Hashable, Sendable {
  /// Its identifier is empty.
  case `default`
  case resizing(referenceSize: Size, mode: ContentMode)
  case downsampling(size: Size)
  case roundCorner(radius: Radius, targetSize: Size?, corners: RectCorner, backgroundColor: Color?)
  case blur(blurRadius: Double)
  case overlay(color: Color, fraction: Double)
  case tint(color: Color)
  case colorControls(brightness: Double, contrast: Double, saturation: Double, inputEV: Double)
  case blackWhite
  /// The anchor goes from (0, 0), top left, to (1, 1).
  case cropping(size: Size, anchor: Point)
  case blend(mode: BlendMode, alpha: Double, backgroundColor: Color?)
  case border(color: Color, lineWidth: Double, radius: Radius, corners: RectCorner)
  /// An app's own processor, of which only the identifier is known: nothing can be drawn.
  case custom(identifier: String)
  /// Draws like `processor` but is known to the app under another identifier.
  case identified(BuiltInProcessor, as: String)

  /// Points.
  public struct Size: Hashable, Sendable {
    public var width: Double
    public var height: Double

    public init(width: Double, height: Double) {
      self.width = width
      self.height = height
    }
  }

  public struct Point: Hashable, Sendable {
    public var x: Double
    public var y: Double

    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  public enum ContentMode: String, Hashable, Sendable, CaseIterable {
    case none, aspectFit, aspectFill
  }

  /// `Radius`: fractions are of the target's width or height (since 5.14.0).
  public enum Radius: Hashable, Sendable {
    case widthFraction(Double)
    case heightFraction(Double)
    case point(Double)
  }

  /// `RectCorner`: Kingfisher's own bits.
  public struct RectCorner: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let topLeft = RectCorner(rawValue: 1)
    public static let topRight = RectCorner(rawValue: 2)
    public static let bottomLeft = RectCorner(rawValue: 4)
    public static let bottomRight = RectCorner(rawValue: 8)
    public static let all: RectCorner = [.topLeft, .topRight, .bottomLeft, .bottomRight]
  }

  /// `CGBlendMode`: its names and raw values.
  public enum BlendMode: Int, Hashable, Sendable, CaseIterable {
    case normal, multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, softLight, hardLight
    case difference, exclusion, hue, saturation, color, luminosity
    case clear, copy, sourceIn, sourceOut, sourceAtop, destinationOver, destinationIn, destinationOut
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
}

/// What a processor puts into a key.
extension KingfisherKeyFormat {
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
