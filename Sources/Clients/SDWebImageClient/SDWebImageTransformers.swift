import ClientKit
import SDWebImageCache
import Syntax

/// SDWebImage's thumbnail sizes and transformers as a job spells them: the initialisers' own words (5.21.5).
enum SDWebImageTransformers {
  /// The member of a chain that `syntax` spells: a thumbnail size or a transformer, maybe under another key.
  static func member(_ syntax: ChainSyntax.Member, _ mistakes: inout [Mistake]) -> ChainMember? {
    if syntax.name == "thumbnail" {
      syntax.refuseIdentifier(&mistakes)
      return thumbnail(syntax, &mistakes).map { ChainMember($0, leadingName: "thumbnail") }
    }
    guard let transformer = transformer(syntax, &mistakes) else { return nil }
    var isCustom = false
    if case .custom = transformer { isCustom = true }
    let key = syntax.ownIdentifier(ofCustom: isCustom, &mistakes)
    return ChainMember(key.map { .identified(transformer, as: $0) } ?? transformer)
  }

  private static func thumbnail(
    _ member: ChainSyntax.Member, _ mistakes: inout [Mistake]
  ) -> SDImageThumbnail? {
    member.read(thumbnail.labels, &mistakes) { reader in
      let size = reader.required("size", .size)
      let preserves = reader.optional("preserveAspectRatio", .bool, default: true)
      return size.map {
        SDImageThumbnail(width: $0.width, height: $0.height, preservesAspectRatio: preserves)
      }
    }
  }

  private static func transformer(
    _ member: ChainSyntax.Member, _ mistakes: inout [Mistake]
  ) -> SDImageTransformer? {
    switch member.name {
    case "resize":
      member.read(resize.labels, &mistakes) { reader in
        let size = reader.required("size", .size)
        let mode = reader.optional("scaleMode", .scaleMode, default: SDImageTransformer.ScaleMode.fill)
        return size.map { .resizing(size: .init(width: $0.width, height: $0.height), scaleMode: mode) }
      }
    case "crop":
      member.read(crop.labels, &mistakes) { $0.required("rect", .rect).map { .cropping(rect: $0) } }
    case "roundCorner": roundCorner(member, &mistakes)
    case "flip":
      member.read(flip.labels, &mistakes) { reader in
        .flipping(
          horizontal: reader.optional("horizontal", .bool, default: false),
          vertical: reader.optional("vertical", .bool, default: false))
      }
    case "rotate":
      member.read(rotate.labels, &mistakes) { reader in
        let angle = reader.required("angle", .number)
        let fits = reader.optional("fitSize", .bool, default: true)
        return angle.map { .rotation(angle: $0, fitSize: fits) }
      }
    case "tint":
      member.read(tint.labels, &mistakes) { reader in
        let color = reader.required("color", .color).map(SDImageTransformer.Color.init)
        let mode = reader.optional("blendMode", .blendMode)
        return color.map { .tint(color: $0, blendMode: mode) }
      }
    case "blur":
      member.read(blur.labels, &mistakes) { $0.required("radius", .number).map { .blur(radius: $0) } }
    case "filter":
      member.read(filter.labels, &mistakes) { reader in
        reader.required("name", .text(example: "CISepiaTone")).map { .filter(name: $0) }
      }
    case "custom": member.customIdentifier(&mistakes).map { .custom(key: $0) }
    default: nil
    }
  }

  private static func roundCorner(
    _ member: ChainSyntax.Member, _ mistakes: inout [Mistake]
  ) -> SDImageTransformer? {
    member.read(roundCorner.labels, &mistakes) { reader in
      let radius = reader.required("radius", .number)
      let corners = reader.optional("corners", .corners, default: SDImageTransformer.RectCorner.allCorners)
      let width = reader.optional("borderWidth", .number, default: 0)
      let color = reader.optional("borderColor", .color).map(SDImageTransformer.Color.init)
      return radius.map {
        .roundCorner(radius: $0, corners: corners, borderWidth: width, borderColor: color)
      }
    }
  }
}

extension ArgumentType where Value == SDImageTransformer.ScaleMode {
  /// By its name or its raw value.
  static var scaleMode: Self { .caseOrNumber("fill, aspectFit or aspectFill", example: "aspectFill") }
}

extension ArgumentType where Value == SDImageTransformer.BlendMode {
  /// By its name or its raw value.
  static var blendMode: Self {
    .caseOrNumber("a blend mode's name or a number from 0 to 27", example: "sourceAtop")
  }
}

extension ArgumentType where Value == SDImageTransformer.RectCorner {
  static var corners: Self {
    .joined(
      [
        "topLeft": .topLeft, "topRight": .topRight, "bottomLeft": .bottomLeft, "bottomRight": .bottomRight,
        "all": .allCorners, "none": [],
      ], example: "topLeft+topRight")
  }
}

extension ArgumentType where Value == SDImageTransformer.Rect {
  static var rect: Self {
    .tuple(
      ["x", "y", "width", "height"], call: "CGRect", expected: "a rectangle like (0, 0, 100, 50)",
      example: "(0, 0, 100, 50)"
    ) { SDImageTransformer.Rect(x: $0[0], y: $0[1], width: $0[2], height: $0[3]) }
  }
}

extension SDImageTransformer.Color {
  fileprivate init(_ color: SpelledColor) {
    switch color {
    case .rgba(let red, let green, let blue, let alpha):
      self.init(red: red, green: green, blue: blue, alpha: alpha)
    case .gray(let white, let alpha): self.init(red: white, green: white, blue: white, alpha: alpha)
    }
  }
}

extension SDWebImageClient {
  package var processors: [ProcessorSpelling] { SDWebImageTransformers.spellings }
  package var processorNames: [String] { SDWebImageTransformers.names }
  package var processorExample: String { "resize(size: 320x320, scaleMode: aspectFill)" }

  package func member(
    _ syntax: ChainSyntax.Member, _ mistakes: inout [Mistake], _ lints: inout [Mistake]
  ) -> ChainMember? {
    SDWebImageTransformers.member(syntax, &mistakes)
  }
}

/// The table of SDWebImage's transformers: what a job may write, and what help says of it.
extension SDWebImageTransformers {
  static let thumbnail = ProcessorSpelling(
    "thumbnail", [.needed("size", "WxH"), .optional("preserveAspectRatio", true)],
    "a request's imageThumbnailPixelSize, in pixels; only at the beginning of a chain")
  static let resize = ProcessorSpelling(
    "resize", [.needed("size", "WxH"), .optional("scaleMode", "fill|aspectFit|aspectFill", "fill")],
    "draws at a size in points: distorted, whole with transparent margins, or cut to it")
  static let crop = ProcessorSpelling(
    "crop", [.needed("rect", "(X, Y, W, H)")], "cuts a rectangle out, in points")
  static let roundCorner = ProcessorSpelling(
    "roundCorner",
    [
      .needed("radius", "N"), .optional("corners", "CORNERS", "all"), .optional("borderWidth", "N", "0"),
      .optional("borderColor", "COLOR"),
    ],
    "rounds corners, inside a border; corners are topLeft, topRight, bottomLeft, bottomRight, joined with +")
  static let flip = ProcessorSpelling(
    "flip", [.optional("horizontal", false), .optional("vertical", false)], "mirrors")
  static let rotate = ProcessorSpelling(
    "rotate", [.needed("angle", "N"), .optional("fitSize", true)],
    "turns counterclockwise by an angle in radians; fitSize gives all of it room")
  static let tint = ProcessorSpelling(
    "tint", [.needed("color", "COLOR"), .optional("blendMode", "MODE")],
    "a colour upon the picture in a blend mode, by its name or raw value")
  static let blur = ProcessorSpelling("blur", [.needed("radius", "N")], "blurs")
  static let filter = ProcessorSpelling(
    "filter", [.needed("name", "CIName")],
    "a Core Image filter; docs/processors.md lists those that are drawn")
  static let custom = ProcessorSpelling(
    "custom", [.unnamed("\"TEXT\"")],
    "a transformer of the app's own, by its transformerKey: its key is known, nothing is drawn")

  static let spellings = [thumbnail, resize, crop, roundCorner, flip, rotate, tint, blur, filter, custom]
  static let names = ProcessorSpelling.names(spellings)
}
