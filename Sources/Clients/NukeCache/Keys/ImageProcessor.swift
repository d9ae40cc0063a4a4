import Foundation
import Text

/// A step of a request's processing, spelled as an app spells it: `.resize(width: 320)`, `.circle()`.
///
/// Sizes stay in the unit in which they were given: pixels, and so the identifier that enters the
/// cache key, follow from a version and a screen scale (``CacheKeyFormat``).
public struct ImageProcessor: Hashable, Sendable {
  /// The processor as its row has it.
  package let call: ProcessorCall

  private init(_ name: String, _ values: ProcessorValues) { call = ProcessorCall(name, values) }
  private init(_ call: ProcessorCall) { self.call = call }

  /// `ImageProcessors.Resize`: fills or fits a size, and crops what is beyond it where that is asked for.
  public static func resize(
    width: Double, height: Double, unit: Unit = .points, contentMode: ContentMode = .aspectFill,
    crop: Bool = false, upscale: Bool = false
  ) -> ImageProcessor {
    Self(
      "resize",
      [
        "size": .numbers([width, height]), "unit": .word(unit.rawValue),
        "contentMode": .word(contentMode.rawValue), "crop": .flag(crop), "upscale": .flag(upscale),
      ])
  }

  /// The same with a size of Core Graphics.
  public static func resize(
    size: CGSize, unit: Unit = .points, contentMode: ContentMode = .aspectFill, crop: Bool = false,
    upscale: Bool = false
  ) -> ImageProcessor {
    .resize(
      width: Double(size.width), height: Double(size.height), unit: unit, contentMode: contentMode,
      crop: crop, upscale: upscale)
  }

  /// Fits a width; the height follows, up to 9999 units as in Nuke.
  public static func resize(width: Double, unit: Unit = .points, upscale: Bool = false) -> ImageProcessor {
    Self("resize", ["width": .number(width), "unit": .word(unit.rawValue), "upscale": .flag(upscale)])
  }

  /// Fits a height; the width follows, up to 9999 units as in Nuke.
  public static func resize(height: Double, unit: Unit = .points, upscale: Bool = false) -> ImageProcessor {
    Self("resize", ["height": .number(height), "unit": .word(unit.rawValue), "upscale": .flag(upscale)])
  }

  /// `ImageProcessors.Circle`: a circle out of the middle of the image.
  public static func circle(border: Border? = nil) -> ImageProcessor {
    Self("circle", ["border": border.map(\.value)])
  }

  /// `ImageProcessors.RoundedCorners`; the unit is that of the radius.
  public static func roundedCorners(
    radius: Double, unit: Unit = .points, border: Border? = nil
  ) -> ImageProcessor {
    Self(
      "roundedCorners",
      ["radius": .number(radius), "unit": .word(unit.rawValue), "border": border.map(\.value)])
  }

  /// `ImageProcessors.GaussianBlur`; the radius is in pixels.
  public static func gaussianBlur(radius: Int = 8) -> ImageProcessor {
    Self("gaussianBlur", ["radius": .whole(radius)])
  }

  /// `identifier` replaces the whole identifier, as Nuke's initialiser with parameters does.
  public static func coreImageFilter(name: String, identifier: String? = nil) -> ImageProcessor {
    Self("coreImage", ["name": .text(name), "identifier": identifier.map { .text($0) }])
  }

  /// Only the identifier is used: it is all that a key has of the parameters.
  public static func coreImageFilter(
    name: String, parameters: [String: Any], identifier: String
  ) -> ImageProcessor {
    .coreImageFilter(name: name, identifier: identifier)
  }

  /// An app's own processor, of which only the identifier is known: nothing can be drawn.
  public static func custom(identifier: String) -> ImageProcessor { Self(.custom(identifier)) }

  /// The same as an app has it. Its closure draws for a screen and is never called here.
  public static func process(
    id: String, _ closure: @escaping @Sendable (PlatformImage) -> PlatformImage?
  ) -> ImageProcessor {
    .custom(identifier: id)
  }

  /// Draws like `processor` but is known to the app under another identifier.
  public static func identified(_ processor: ImageProcessor, as identifier: String) -> ImageProcessor {
    Self(ProcessorCall(processor.call.name, processor.call.values, as: identifier))
  }
}
