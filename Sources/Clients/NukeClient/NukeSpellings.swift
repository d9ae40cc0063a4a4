import ClientKit
import NukeCache

/// The table of Nuke's processors: what a job may write, and what help says of it.
extension NukeProcessors {
  private static let unit = ProcessorSpelling.Argument.optional("unit", ImageProcessor.Unit.points)
  private static let mode = ProcessorSpelling.Argument.optional(
    "contentMode", ImageProcessor.ContentMode.aspectFill)
  private static let upscale = ProcessorSpelling.Argument.optional("upscale", false)
  private static let border = ProcessorSpelling.Argument.optional(
    "border", "(color: COLOR, [width: N = 1], [unit: points|pixels = points])")
  private static let switches = thumbnailSwitches.map { ProcessorSpelling.Argument.optional($0, true) }

  static let thumbnailSwitches = [
    "createThumbnailFromImageIfAbsent", "createThumbnailFromImageAlways", "createThumbnailWithTransform",
    "shouldCacheImmediately",
  ]

  static let resizeToSize = ProcessorSpelling(
    "resize", [.needed("size", "WxH"), unit, mode, .optional("crop", false), upscale],
    "scales to fill or fit a size, or cuts to it")
  static let resizeToWidth = ProcessorSpelling(
    "resize", [.needed("width", "N"), unit, upscale], "scales to a width; the height follows")
  static let resizeToHeight = ProcessorSpelling(
    "resize", [.needed("height", "N"), unit, upscale], "scales to a height; the width follows")
  static let circle = ProcessorSpelling(
    "circle", [border], "cuts the centred square and rounds it to a circle")
  static let roundedCorners = ProcessorSpelling(
    "roundedCorners", [.needed("radius", "N"), unit, border], "rounds the corners")
  static let gaussianBlur = ProcessorSpelling("gaussianBlur", [.optional("radius", "N", "8")], "blurs")
  static let coreImage = ProcessorSpelling(
    "coreImage", [.needed("name", "CIName"), .optional("identifier", "\"TEXT\"")],
    "a Core Image filter; docs/processors.md lists those that are drawn")
  static let coreImageFilter = ProcessorSpelling(
    "coreImageFilter", [.needed("name", "CIName"), .optional("identifier", "\"TEXT\"")], "the same")
  static let custom = ProcessorSpelling(
    "custom", [.unnamed("\"TEXT\"")],
    "a processor of the app's own, by its identifier: its key is known, nothing is drawn")
  static let thumbnailOfSide = ProcessorSpelling(
    "thumbnail", [.needed("maxPixelSize", "N")] + switches,
    "a thumbnail request by its longer side; only at the beginning of a chain")
  static let thumbnailOfSize = ProcessorSpelling(
    "thumbnail", [.needed("size", "WxH"), unit, mode] + switches,
    "a thumbnail request by a size; only at the beginning of a chain")

  static let resizes = [resizeToSize, resizeToWidth, resizeToHeight]
  static let thumbnails = [thumbnailOfSide, thumbnailOfSize]

  static let spellings =
    resizes + [circle, roundedCorners, gaussianBlur, coreImage, coreImageFilter, custom] + thumbnails
  static let names = ProcessorSpelling.names(spellings)
}
