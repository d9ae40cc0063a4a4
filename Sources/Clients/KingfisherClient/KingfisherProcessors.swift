import ClientKit
import KingfisherCache
import Syntax

/// Kingfisher's processors as a job spells them: the initialisers' own words and defaults (8.11.0).
enum KingfisherProcessors {
  /// The processor that `member` spells, maybe under another identifier, or nil with at least one mistake more.
  static func part(_ member: ChainSyntax.Member, _ mistakes: inout [Mistake]) -> BuiltInProcessor? {
    guard let processor = processor(member, &mistakes) else { return nil }
    var isCustom = false
    if case .custom = processor { isCustom = true }
    let identifier = member.ownIdentifier(ofCustom: isCustom, &mistakes)
    return identifier.map { .identified(processor, as: $0) } ?? processor
  }

  private static func processor(
    _ member: ChainSyntax.Member, _ mistakes: inout [Mistake]
  ) -> BuiltInProcessor? {
    switch member.name {
    case "default": member.read(plain.labels, &mistakes) { _ in .default }
    case "blackWhite": member.read(blackWhite.labels, &mistakes) { _ in .blackWhite }
    case "resizing":
      member.read(resizing.labels, &mistakes) { reader in
        let size = reader.required("referenceSize", .size)
        let mode = reader.optional("mode", .oneOf, default: BuiltInProcessor.ContentMode.none)
        return size.map { .resizing(referenceSize: BuiltInProcessor.Size($0), mode: mode) }
      }
    case "downsampling":
      member.read(downsampling.labels, &mistakes) { reader in
        reader.required("size", .size).map { .downsampling(size: BuiltInProcessor.Size($0)) }
      }
    case "roundCorner": roundCorner(member, &mistakes)
    case "blur":
      // The modifier of `KFImage` calls it `radius`.
      member.read(ProcessorSpelling.labels([blur, blurOfModifier]), &mistakes) { reader in
        reader.required(reader.has("radius") ? "radius" : "blurRadius", .number).map { .blur(blurRadius: $0) }
      }
    case "overlay":
      member.read(overlay.labels, &mistakes) { reader in
        let color = reader.required("color", .kingfisherColor)
        let fraction = reader.optional("fraction", .number, default: 0.5)
        return color.map { .overlay(color: $0, fraction: fraction) }
      }
    case "tint":
      member.read(tint.labels, &mistakes) { reader in
        reader.required("color", .kingfisherColor).map { .tint(color: $0) }
      }
    case "colorControls": colorControls(member, &mistakes)
    case "cropping":
      member.read(cropping.labels, &mistakes) { reader in
        let size = reader.required("size", .size)
        let anchor = reader.optional("anchor", .point, default: BuiltInProcessor.Point(x: 0.5, y: 0.5))
        return size.map { .cropping(size: BuiltInProcessor.Size($0), anchor: anchor) }
      }
    case "blend":
      member.read(blend.labels, &mistakes) { reader in
        let mode = reader.required("blendMode", .blendMode)
        let alpha = reader.optional("alpha", .number, default: 1)
        let background = reader.optional("backgroundColor", .kingfisherColor)
        return mode.map { .blend(mode: $0, alpha: alpha, backgroundColor: background) }
      }
    case "border":
      member.read(border.labels, &mistakes) { reader in
        let color = reader.optional(
          "color", .kingfisherColor, default: BuiltInProcessor.Color.gray(white: 0, alpha: 1))
        let width = reader.optional("lineWidth", .number, default: 4)
        let radius = reader.optional("radius", .radius, default: BuiltInProcessor.Radius.point(0))
        let corners = reader.optional("roundingCorners", .corners, default: BuiltInProcessor.RectCorner.all)
        return .border(color: color, lineWidth: width, radius: radius, corners: corners)
      }
    case "custom": member.customIdentifier(&mistakes).map { .custom(identifier: $0) }
    default: nil
    }
  }

  private static func roundCorner(
    _ member: ChainSyntax.Member, _ mistakes: inout [Mistake]
  ) -> BuiltInProcessor? {
    let labels = (member.arguments ?? []).compactMap(\.label)
    let form = labels.contains("radius") ? "radius" : "cornerRadius"
    let own = form == "radius" ? roundCornerOfRadius : roundCorner
    return member.read(own.labels, otherForms: ["radius", "cornerRadius"], &mistakes) { reader in
      let radius =
        form == "radius"
        ? reader.required(form, .radius)
        : reader.required(form, .number).map { BuiltInProcessor.Radius.point($0) }
      let size = reader.optional("targetSize", .size).map { BuiltInProcessor.Size($0) }
      let corners = reader.optional("roundingCorners", .corners, default: BuiltInProcessor.RectCorner.all)
      let background = reader.optional("backgroundColor", .kingfisherColor)
      return radius.map {
        .roundCorner(radius: $0, targetSize: size, corners: corners, backgroundColor: background)
      }
    }
  }

  private static func colorControls(
    _ member: ChainSyntax.Member, _ mistakes: inout [Mistake]
  ) -> BuiltInProcessor? {
    let labels = colorControls.labels
    return member.read(labels, &mistakes) { reader in
      let values = labels.compactMap { reader.required($0, .number) }
      guard values.count == labels.count else { return nil }
      return .colorControls(
        brightness: values[0], contrast: values[1], saturation: values[2], inputEV: values[3])
    }
  }
}

extension BuiltInProcessor.Size {
  package init(_ size: PlainSize) { self.init(width: size.width, height: size.height) }
}

extension KingfisherProcessors {
  /// What an author should know of a processor that has a key all the same.
  static func lint(
    _ processor: BuiltInProcessor, style: KingfisherKeyFormat.Style, at offset: Int
  ) -> Mistake? {
    switch processor {
    case .roundCorner(_, _, _, .some):
      return Mistake(
        offset, "this key holds a colour as UIKit prints it, which Apple does not promise to keep",
        help: "compare it with the app's own, or leave backgroundColor out")
    case .border:
      return Mistake(
        offset,
        "this key holds a border as Swift prints it: a colour in UIKit's words, names that a build may strip",
        help: "compare it with the app's own")
    case .colorControls, .blend:
      guard style == .builder else { return nil }
      return Mistake(
        offset, "KF and KFImage have no modifier for this; the key is that of appendProcessor(...)",
        help: "style options, for .processor(...)")
    default: return nil
    }
  }
}

extension KingfisherClient {
  package var processors: [ProcessorSpelling] { KingfisherProcessors.spellings }
  package var processorNames: [String] { KingfisherProcessors.names }
  package var processorExample: String { "downsampling(size: 320x320)" }

  package func member(
    _ syntax: ChainSyntax.Member, _ mistakes: inout [Mistake], _ lints: inout [Mistake]
  ) -> ChainMember? {
    guard let processor = KingfisherProcessors.part(syntax, &mistakes) else { return nil }
    if let lint = KingfisherProcessors.lint(processor, style: format.style, at: syntax.offset) {
      lints.append(lint)
    }
    return ChainMember(processor)
  }
}

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
