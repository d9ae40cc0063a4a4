/// A step of a request's processing, spelled as an app spells it: `.resize(width: 320)`, `.circle()`.
///
/// Sizes stay in the unit in which they were given: pixels, and so the identifier that enters the
/// cache key, follow from a version and a screen scale (``CacheKeyFormat``).
public indirect enum ImageProcessor: Hashable, Sendable {
  /// `ImageProcessors.Resize`.
  case resize(Resize)
  /// `ImageProcessors.Circle`: a circle out of the middle of the image.
  case circle(border: Border?)
  /// `ImageProcessors.RoundedCorners`; the unit is that of the radius.
  case roundedCorners(radius: Double, unit: Unit, border: Border?)
  /// `ImageProcessors.GaussianBlur`; the radius is in pixels.
  case gaussianBlur(radius: Int)
  /// `identifier` replaces the whole identifier, as Nuke's initialiser with parameters does.
  case coreImageFilter(name: String, identifier: String?)
  /// An app's own processor, of which only the identifier is known: nothing can be drawn.
  case custom(identifier: String)
  /// `ImageProcessors.Composition`: several processors as one.
  case composition([ImageProcessor])
  /// Draws like `processor` but is known to the app under another identifier.
  case identified(ImageProcessor, as: String)

  /// What a size is measured in. Points are multiplied by the screen scale.
  public enum Unit: String, Hashable, Sendable, CaseIterable {
    /// Multiplied by the screen scale.
    case points
    /// Taken as they are.
    case pixels
  }

  /// How an image takes a target of another shape: Nuke's `ImageProcessingOptions.ContentMode`.
  public enum ContentMode: String, Hashable, Sendable, CaseIterable {
    /// The image covers the target.
    case aspectFill
    /// The whole image fits into the target.
    case aspectFit
  }

  /// A line drawn along the edge; its width is in `unit`.
  public struct Border: Hashable, Sendable {
    /// The colour of the line.
    public var color: Color
    /// The width of the line.
    public var width: Double
    /// What the width is measured in.
    public var unit: Unit

    /// A line; by default one point wide.
    public init(color: Color, width: Double = 1, unit: Unit = .points) {
      self.color = color
      self.width = width
      self.unit = unit
    }
  }

  /// An sRGB colour, components in 0...1 but not limited to it (wide gamut), or one without an RGB
  /// form (a pattern), of which only the printed description is known.
  public enum Color: Hashable, Sendable {
    /// Components in sRGB.
    case rgba(red: Double, green: Double, blue: Double, alpha: Double)
    /// The text that Core Graphics prints for a colour without an RGB form.
    case described(String)
  }

  /// `ImageProcessors.Resize`: a target size and how it is filled.
  public struct Resize: Hashable, Sendable {
    /// What the image is drawn to.
    public var target: Target
    /// What the target is measured in.
    public var unit: Unit
    /// How the image takes the target.
    public var contentMode: ContentMode
    /// Whether what is beyond the target is cut off; only with `.aspectFill`.
    public var crop: Bool
    /// Whether an image that is smaller than the target is enlarged.
    public var upscale: Bool

    /// The side that an initialiser leaves open is 9999 units, as in Nuke (so very tall images are
    /// limited by it, and it is scaled too).
    public enum Target: Hashable, Sendable {
      /// Both sides.
      case size(width: Double, height: Double)
      /// The width alone.
      case width(Double)
      /// The height alone.
      case height(Double)

      /// Both sides, with 9999 for one that is open.
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

  /// Fills or fits a size, and crops what is beyond it where that is asked for.
  public static func resize(
    width: Double, height: Double, unit: Unit = .points, contentMode: ContentMode = .aspectFill,
    crop: Bool = false, upscale: Bool = false
  ) -> ImageProcessor {
    .resize(
      Resize(
        .size(width: width, height: height), unit: unit, contentMode: contentMode, crop: crop,
        upscale: upscale))
  }

  /// Fits a width; the height follows.
  public static func resize(width: Double, unit: Unit = .points, upscale: Bool = false) -> ImageProcessor {
    .resize(Resize(.width(width), unit: unit, contentMode: .aspectFit, upscale: upscale))
  }

  /// Fits a height; the width follows.
  public static func resize(height: Double, unit: Unit = .points, upscale: Bool = false) -> ImageProcessor {
    .resize(Resize(.height(height), unit: unit, contentMode: .aspectFit, upscale: upscale))
  }

  /// A circle out of the middle of the image, without a border.
  public static func circle() -> ImageProcessor { .circle(border: nil) }

  /// A blur with Nuke's default radius, 8 pixels.
  public static func gaussianBlur() -> ImageProcessor { .gaussianBlur(radius: 8) }

  /// Rounded corners without a border.
  public static func roundedCorners(
    radius: Double, unit: Unit = .points
  ) -> ImageProcessor {
    .roundedCorners(radius: radius, unit: unit, border: nil)
  }
}
