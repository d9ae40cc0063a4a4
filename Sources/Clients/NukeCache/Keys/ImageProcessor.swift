// Names are those of Nuke's public types.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
import Text

/// A step of a request's processing, spelled as an app spells it: `.resize(width: 320)`, `.circle()`.
///
/// Sizes stay in the unit in which they were given: pixels, and so the identifier that enters the
/// cache key, follow from a version and a screen scale (``CacheKeyFormat``).
public indirect enum ImageProcessor: Hashable, Sendable {
  /// `ImageProcessors.Resize`.
  case resize(Resize)
  /// `ImageProcessors.Circle`: a circle out of the middle of the image.
  case circle(border: Border? = nil)
  /// `ImageProcessors.RoundedCorners`; the unit is that of the radius.
  case roundedCorners(radius: Double, unit: Unit = .points, border: Border? = nil)
  /// `ImageProcessors.GaussianBlur`; the radius is in pixels.
  case gaussianBlur(radius: Int = 8)
  /// `identifier` replaces the whole identifier, as Nuke's initialiser with parameters does.
  case coreImageFilter(name: String, identifier: String? = nil)
  /// An app's own processor, of which only the identifier is known: nothing can be drawn.
  case custom(identifier: String)
  /// `ImageProcessors.Composition`: several processors as one.
  case composition([ImageProcessor])
  /// Draws like `processor` but is known to the app under another identifier.
  case identified(ImageProcessor, as: String)

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

  /// `ImageProcessors.Resize(size:)`: fills or fits a size, and crops what is beyond it where that is asked for.
  public static func resize(
    size: CGSize, unit: Unit = .points, contentMode: ContentMode = .aspectFill, crop: Bool = false,
    upscale: Bool = false
  ) -> ImageProcessor {
    .resize(
      width: Double(size.width), height: Double(size.height), unit: unit, contentMode: contentMode,
      crop: crop, upscale: upscale)
  }

  /// Only the identifier is used: it is all that a key has of the parameters.
  public static func coreImageFilter(
    name: String, parameters: [String: Any], identifier: String
  ) -> ImageProcessor {
    .coreImageFilter(name: name, identifier: identifier)
  }

  /// An app's own processor. Its closure draws for a screen and is never called here: the identifier makes the key.
  public static func process(
    id: String, _ closure: @escaping @Sendable (PlatformImage) -> PlatformImage?
  ) -> ImageProcessor {
    .custom(identifier: id)
  }
}

/// Nuke's processors by the names of their types: `ImageProcessors.Resize(width: 320)`.
public enum ImageProcessors {
  /// Fills or fits a size, and crops what is beyond it where that is asked for.
  public static func Resize(
    size: CGSize, unit: ImageProcessor.Unit = .points, contentMode: ImageProcessor.ContentMode = .aspectFill,
    crop: Bool = false, upscale: Bool = false
  ) -> ImageProcessor {
    .resize(size: size, unit: unit, contentMode: contentMode, crop: crop, upscale: upscale)
  }

  /// Fits a width; the height follows.
  public static func Resize(
    width: Double, unit: ImageProcessor.Unit = .points, upscale: Bool = false
  ) -> ImageProcessor {
    .resize(width: width, unit: unit, upscale: upscale)
  }

  /// Fits a height; the width follows.
  public static func Resize(
    height: Double, unit: ImageProcessor.Unit = .points, upscale: Bool = false
  ) -> ImageProcessor {
    .resize(height: height, unit: unit, upscale: upscale)
  }

  /// Crops to a square in the middle and cuts a circle out of it, with a border if one is given.
  public static func Circle(border: ImageProcessor.Border? = nil) -> ImageProcessor {
    .circle(border: border)
  }

  /// Rounds the corners, with a border if one is given.
  public static func RoundedCorners(
    radius: Double, unit: ImageProcessor.Unit = .points, border: ImageProcessor.Border? = nil
  ) -> ImageProcessor {
    .roundedCorners(radius: radius, unit: unit, border: border)
  }

  /// A blur with a radius in pixels: of Core Image before 13.0.0, three box blurs since.
  public static func GaussianBlur(radius: Int = 8) -> ImageProcessor { .gaussianBlur(radius: radius) }

  /// A Core Image filter with its default parameters.
  public static func CoreImageFilter(name: String) -> ImageProcessor { .coreImageFilter(name: name) }

  /// A Core Image filter. Only the identifier is used: it is all that a key has of the parameters.
  public static func CoreImageFilter(
    name: String, parameters: [String: Any], identifier: String
  ) -> ImageProcessor {
    .coreImageFilter(name: name, parameters: parameters, identifier: identifier)
  }

  /// The closure is never called here, see ``ImageProcessor/process(id:_:)``.
  public static func Anonymous(
    id: String, _ closure: @escaping @Sendable (PlatformImage) -> PlatformImage?
  ) -> ImageProcessor {
    .process(id: id, closure)
  }

  /// Several processors as one; its identifier is theirs, one after another.
  public static func Composition(_ processors: [ImageProcessor]) -> ImageProcessor {
    .composition(processors)
  }
}

extension ImageProcessor {
  /// The processor as its row has it.
  package var call: ProcessorCall {
    switch self {
    case .resize(let resize): resize.call
    case .circle(let border): ProcessorCall("circle", ["border": border.map(\.value)])
    case .roundedCorners(let radius, let unit, let border):
      ProcessorCall(
        "roundedCorners",
        ["radius": .number(radius), "unit": .word(unit.rawValue), "border": border.map(\.value)])
    case .gaussianBlur(let radius): ProcessorCall("gaussianBlur", ["radius": .whole(radius)])
    case .coreImageFilter(let name, let identifier):
      ProcessorCall("coreImage", ["name": .text(name), "identifier": identifier.map { .text($0) }])
    case .custom(let identifier): .custom(identifier)
    case .composition(let members):
      ProcessorCall("composition", ["members": .calls(members.map(\.call))])
    case .identified(let processor, let identifier):
      ProcessorCall(processor.call.name, processor.call.values, as: identifier)
    }
  }
}

extension ImageProcessor.Resize {
  fileprivate var call: ProcessorCall {
    var values: ProcessorValues = ["unit": .word(unit.rawValue), "upscale": .flag(upscale)]
    switch target {
    case .width(let width): values["width"] = .number(width)
    case .height(let height): values["height"] = .number(height)
    case .size(let width, let height):
      values["size"] = .numbers([width, height])
      values["contentMode"] = .word(contentMode.rawValue)
      values["crop"] = .flag(crop)
    }
    return ProcessorCall("resize", values)
  }
}
