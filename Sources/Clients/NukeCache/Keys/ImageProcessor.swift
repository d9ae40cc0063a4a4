/// A step of a request's processing, spelled as an app spells it: `.resize(width: 320)`, `.circle()`.
///
/// Sizes stay in the unit in which they were given: pixels, and so the identifier that enters the
/// cache key, follow from a version and a screen scale (``CacheKeyFormat``).
public indirect enum ImageProcessor: Hashable, Sendable {
  case resize(Resize)
  case circle(border: Border?)
  case roundedCorners(radius: Double, unit: Unit, border: Border?)
  case gaussianBlur(radius: Int)
  /// `identifier` replaces the whole identifier, as Nuke's initialiser with parameters does.
  case coreImageFilter(name: String, identifier: String?)
  /// An app's own processor, of which only the identifier is known: nothing can be drawn.
  case custom(identifier: String)
  case composition([ImageProcessor])
  /// Draws like `processor` but is known to the app under another identifier.
  case identified(ImageProcessor, as: String)

  /// What a size is measured in. Points are multiplied by the screen scale.
  public enum Unit: String, Hashable, Sendable, CaseIterable {
    case points, pixels
  }

  public enum ContentMode: String, Hashable, Sendable, CaseIterable {
    case aspectFill, aspectFit
  }

  /// A line drawn along the edge; its width is in `unit`.
  public struct Border: Hashable, Sendable {
    public var color: Color
    public var width: Double
    public var unit: Unit

    public init(color: Color, width: Double = 1, unit: Unit = .points) {
      self.color = color
      self.width = width
      self.unit = unit
    }
  }

  /// An sRGB colour, components in 0...1 but not limited to it (wide gamut), or one without an RGB
  /// form (a pattern), of which only the printed description is known.
  public enum Color: Hashable, Sendable {
    case rgba(red: Double, green: Double, blue: Double, alpha: Double)
    case described(String)
  }

  /// `ImageProcessors.Resize`: a target size and how it is filled.
  public struct Resize: Hashable, Sendable {
    public var target: Target
    public var unit: Unit
    public var contentMode: ContentMode
    public var crop: Bool
    public var upscale: Bool

    /// The side that an initialiser leaves open is 9999 units, as in Nuke (so very tall images are
    /// limited by it, and it is scaled too).
    public enum Target: Hashable, Sendable {
      case size(width: Double, height: Double)
      case width(Double)
      case height(Double)

      public var size: (width: Double, height: Double) {
        switch self {
        case .size(let width, let height): (width, height)
        case .width(let width): (width, 9999)
        case .height(let height): (9999, height)
        }
      }
    }

    /// A target with one open side always fits and never crops: Nuke's initialisers for it have no
    /// such arguments, so `contentMode` and `crop` are not taken there.
    public init(
      _ target: Target, unit: Unit = .points, contentMode: ContentMode = .aspectFill, crop: Bool = false,
      upscale: Bool = false
    ) {
      self.target = target
      self.unit = unit
      if case .size = target {
        self.contentMode = contentMode
        self.crop = crop
      } else {
        self.contentMode = .aspectFit
        self.crop = false
      }
      self.upscale = upscale
    }
  }

  public static func resize(
    width: Double, height: Double, unit: Unit = .points, contentMode: ContentMode = .aspectFill,
    crop: Bool = false, upscale: Bool = false
  ) -> ImageProcessor {
    .resize(
      Resize(
        .size(width: width, height: height), unit: unit, contentMode: contentMode, crop: crop,
        upscale: upscale))
  }

  public static func resize(width: Double, unit: Unit = .points, upscale: Bool = false) -> ImageProcessor {
    .resize(Resize(.width(width), unit: unit, contentMode: .aspectFit, upscale: upscale))
  }

  public static func resize(height: Double, unit: Unit = .points, upscale: Bool = false) -> ImageProcessor {
    .resize(Resize(.height(height), unit: unit, contentMode: .aspectFit, upscale: upscale))
  }

  public static func circle() -> ImageProcessor { .circle(border: nil) }

  public static func gaussianBlur() -> ImageProcessor { .gaussianBlur(radius: 8) }

  public static func roundedCorners(
    radius: Double, unit: Unit = .points
  ) -> ImageProcessor {
    .roundedCorners(radius: radius, unit: unit, border: nil)
  }
}
