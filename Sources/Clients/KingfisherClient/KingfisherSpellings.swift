import ClientKit
import KingfisherCache

/// The table of Kingfisher's processors: what a job may write, and what help says of it. The initialisers' own words
/// and defaults (8.11.0).
extension KingfisherProcessors {
  private static let corners = ProcessorSpelling.Argument.optional("roundingCorners", "CORNERS", "all")
  private static let background = ProcessorSpelling.Argument.optional("backgroundColor", "COLOR")
  private static let target = ProcessorSpelling.Argument.optional("targetSize", "WxH")

  static let resizing = ProcessorSpelling(
    "resizing",
    [.needed("referenceSize", "WxH"), .optional("mode", BuiltInProcessor.ContentMode.none)],
    "draws at a size, as it is or to fit or fill it")
  static let downsampling = ProcessorSpelling(
    "downsampling", [.needed("size", "WxH")],
    "a small picture from the file; its longer side is the size's larger one")
  static let roundCorner = ProcessorSpelling(
    "roundCorner", [.needed("cornerRadius", "N"), target, corners, background],
    "rounds corners by a radius in points; corners are topLeft, topRight, bottomLeft, bottomRight, joined with +"
  )
  static let roundCornerOfRadius = ProcessorSpelling(
    "roundCorner", [.needed("radius", "RADIUS"), target, corners, background],
    "rounds corners by a radius: point(N), widthFraction(N) or heightFraction(N)")
  static let blur = ProcessorSpelling("blur", [.needed("blurRadius", "N")], "blurs")
  static let blurOfModifier = ProcessorSpelling(
    "blur", [.needed("radius", "N")], "the same, as the modifier of KFImage spells it")
  static let overlay = ProcessorSpelling(
    "overlay", [.needed("color", "COLOR"), .optional("fraction", "N", "0.5")],
    "a colour below the picture in its shape")
  static let tint = ProcessorSpelling("tint", [.needed("color", "COLOR")], "a colour over the picture")
  static let colorControls = ProcessorSpelling(
    "colorControls",
    [
      .needed("brightness", "N"), .needed("contrast", "N"), .needed("saturation", "N"),
      .needed("inputEV", "N"),
    ], "changes brightness, contrast, saturation and exposure")
  static let blackWhite = ProcessorSpelling("blackWhite", [], "takes the colours away")
  static let cropping = ProcessorSpelling(
    "cropping", [.needed("size", "WxH"), .optional("anchor", "(X, Y)", "(0.5, 0.5)")], "cuts a part out")
  static let blend = ProcessorSpelling(
    "blend", [.needed("blendMode", "MODE"), .optional("alpha", "N", "1"), background],
    "draws in a blend mode, by its name or raw value")
  static let border = ProcessorSpelling(
    "border",
    [
      .optional("color", "COLOR", "black"), .optional("lineWidth", "N", "4"),
      .optional("radius", "RADIUS", "0"), corners,
    ], "a line inside the edge")
  static let plain = ProcessorSpelling("default", [], "the default processor, where the app names it")
  static let custom = ProcessorSpelling(
    "custom", [.unnamed("\"TEXT\"")],
    "a processor of the app's own, by its identifier: its key is known, nothing is drawn")

  static let spellings = [
    resizing, downsampling, roundCorner, roundCornerOfRadius, blur, blurOfModifier, overlay, tint,
    colorControls,
    blackWhite, cropping, blend, border, plain, custom,
  ]
  static let names = ProcessorSpelling.names(spellings)
}
