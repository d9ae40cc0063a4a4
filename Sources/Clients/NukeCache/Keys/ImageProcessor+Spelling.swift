// Names are those of Nuke's public types.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

// Processors and their options as an app's code spells them, where Nuke's initialisers differ from the cases here.

extension ImageProcessor {
  /// `ImageProcessors.Resize(size:)`: fills or fits a size, and crops what is beyond it where that is asked for.
  public static func resize(
    size: CGSize, unit: Unit = .points, contentMode: ContentMode = .aspectFill, crop: Bool = false,
    upscale: Bool = false
  ) -> ImageProcessor {
    .resize(
      width: Double(size.width), height: Double(size.height), unit: unit, contentMode: contentMode,
      crop: crop, upscale: upscale)
  }

  /// `ImageProcessors.CoreImageFilter(name:)`: the filter with its default parameters.
  public static func coreImageFilter(name: String) -> ImageProcessor {
    .coreImageFilter(name: name, identifier: nil)
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

/// Nuke's options of processors by the names of their types.
public enum ImageProcessingOptions {
  /// Points or pixels.
  public typealias Unit = ImageProcessor.Unit
  /// Fill or fit.
  public typealias ContentMode = ImageProcessor.ContentMode
  /// A line along the edge.
  public typealias Border = ImageProcessor.Border
}

extension ImageProcessor.Color {
  /// As `UIColor(red:green:blue:alpha:)`.
  public init(red: Double, green: Double, blue: Double, alpha: Double) {
    self = .rgba(red: red, green: green, blue: blue, alpha: alpha)
  }

  /// As `UIColor(white:alpha:)`, held as RGB.
  public init(white: Double, alpha: Double) {
    self = .rgba(red: white, green: white, blue: white, alpha: alpha)
  }

  // UIColor's class properties that are the same in every appearance.
  /// As `UIColor.black`.
  public static let black = Self(white: 0, alpha: 1)
  /// As `UIColor.darkGray`.
  public static let darkGray = Self(white: 1.0 / 3, alpha: 1)
  /// As `UIColor.gray`.
  public static let gray = Self(white: 0.5, alpha: 1)
  /// As `UIColor.lightGray`.
  public static let lightGray = Self(white: 2.0 / 3, alpha: 1)
  /// As `UIColor.white`.
  public static let white = Self(white: 1, alpha: 1)
  /// As `UIColor.clear`.
  public static let clear = Self(white: 0, alpha: 0)
  /// As `UIColor.red`.
  public static let red = Self(red: 1, green: 0, blue: 0, alpha: 1)
  /// As `UIColor.green`.
  public static let green = Self(red: 0, green: 1, blue: 0, alpha: 1)
  /// As `UIColor.blue`.
  public static let blue = Self(red: 0, green: 0, blue: 1, alpha: 1)
  /// As `UIColor.cyan`.
  public static let cyan = Self(red: 0, green: 1, blue: 1, alpha: 1)
  /// As `UIColor.yellow`.
  public static let yellow = Self(red: 1, green: 1, blue: 0, alpha: 1)
  /// As `UIColor.magenta`.
  public static let magenta = Self(red: 1, green: 0, blue: 1, alpha: 1)
  /// As `UIColor.orange`.
  public static let orange = Self(red: 1, green: 0.5, blue: 0, alpha: 1)
  /// As `UIColor.purple`.
  public static let purple = Self(red: 0.5, green: 0, blue: 0.5, alpha: 1)
  /// As `UIColor.brown`.
  public static let brown = Self(red: 0.6, green: 0.4, blue: 0.2, alpha: 1)
}

#if os(Linux)
  /// What an app's code calls the colour of a border.
  public typealias UIColor = ImageProcessor.Color
#endif

extension ThumbnailOptions {
  /// A thumbnail that fills or fits a size (12.0.0 and later).
  public init(
    size: CGSize, unit: ImageProcessor.Unit = .points, contentMode: ImageProcessor.ContentMode = .aspectFill
  ) {
    self.init(
      width: Double(size.width), height: Double(size.height), unit: unit, contentMode: contentMode)
  }
}
