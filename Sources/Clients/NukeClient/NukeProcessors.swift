import ClientKit
import NukeCache
import Syntax

/// Nuke's processors as a job spells them.
enum NukeProcessors {
  /// The member of a chain that `syntax` spells: a thumbnail or a processor, maybe under another identifier.
  static func member(_ syntax: ChainSyntax.Member, _ mistakes: inout [Mistake]) -> ChainMember? {
    if syntax.name == "thumbnail" {
      syntax.refuseIdentifier(&mistakes)
      return thumbnail(syntax, &mistakes).map { ChainMember($0, leadingName: "thumbnail") }
    }
    guard let processor = processor(syntax, &mistakes) else { return nil }
    var isCustom = false
    if case .custom = processor { isCustom = true }
    let identifier = syntax.ownIdentifier(ofCustom: isCustom, &mistakes)
    return ChainMember(identifier.map { .identified(processor, as: $0) } ?? processor)
  }

  /// The processor that `member` spells, or nil with at least one mistake more.
  static func processor(_ member: ChainSyntax.Member, _ mistakes: inout [Mistake]) -> ImageProcessor? {
    switch member.name {
    case "resize": resize(member, &mistakes)
    case "circle":
      member.read(circle.labels, &mistakes) { .circle(border: $0.optional("border", .border)) }
    case "roundedCorners":
      member.read(roundedCorners.labels, &mistakes) { reader in
        let radius = reader.required("radius", .number)
        let unit = reader.optional("unit", .oneOf, default: ImageProcessor.Unit.points)
        let border = reader.optional("border", .border)
        return radius.map { .roundedCorners(radius: $0, unit: unit, border: border) }
      }
    case "gaussianBlur":
      member.read(gaussianBlur.labels, &mistakes) {
        .gaussianBlur(radius: $0.optional("radius", .whole, default: 8))
      }
    case "coreImage", "coreImageFilter":
      member.read(coreImage.labels, &mistakes) { reader in
        let name = reader.required("name", .text(example: "CISepiaTone"))
        let identifier = reader.optional("identifier", .quoted)
        return name.map { .coreImageFilter(name: $0, identifier: identifier) }
      }
    case "custom": member.customIdentifier(&mistakes).map { .custom(identifier: $0) }
    default: nil
    }
  }

  private static func resize(
    _ member: ChainSyntax.Member, _ mistakes: inout [Mistake]
  ) -> ImageProcessor? {
    let labels = (member.arguments ?? []).compactMap(\.label)
    let all = ProcessorSpelling.labels(resizes)
    guard let form = labels.first(where: { ["size", "width", "height"].contains($0) }) else {
      // An unknown word is likely to be the reason: `widht: 320`.
      let before = mistakes.count
      _ = member.read(all, &mistakes) { _ in ImageProcessor?.none }
      if mistakes.count == before {
        mistakes.append(
          Mistake(member.offset, "resize needs 'size:', 'width:' or 'height:'", help: "resize(width: 320)"))
      }
      return nil
    }
    if form == "size" {
      return member.read(resizeToSize.labels, form: form, otherForms: all, &mistakes) { reader in
        let size = reader.required("size", .size)
        let unit = reader.optional("unit", .oneOf, default: ImageProcessor.Unit.points)
        let mode = reader.optional("contentMode", .oneOf, default: ImageProcessor.ContentMode.aspectFill)
        let crop = reader.optional("crop", .bool, default: false)
        let upscale = reader.optional("upscale", .bool, default: false)
        return size.map {
          .resize(
            width: $0.width, height: $0.height, unit: unit, contentMode: mode, crop: crop, upscale: upscale)
        }
      }
    }
    let own = form == "width" ? resizeToWidth : resizeToHeight
    return member.read(own.labels, form: form, otherForms: all, &mistakes) { reader in
      let side = reader.required(form, .number)
      let unit = reader.optional("unit", .oneOf, default: ImageProcessor.Unit.points)
      let upscale = reader.optional("upscale", .bool, default: false)
      return side.map {
        form == "width"
          ? .resize(width: $0, unit: unit, upscale: upscale)
          : .resize(height: $0, unit: unit, upscale: upscale)
      }
    }
  }
}

extension ArgumentType where Value == ImageProcessor.Border {
  static var border: Self {
    Self(example: "(color: #FF0000, width: 2)") { argument in
      let members: [ChainSyntax.Argument]
      switch argument.value {
      case .group(let group), .call(".init", let group), .call("ImageProcessingOptions.Border", let group):
        members = group
      default:
        return .failure(.init(mistakes: [wrong(argument, "a group like (color: #FF0000, width: 2)")]))
      }
      var reader = ArgumentReader(
        members, of: "border", at: argument.valueOffset, labels: ["color", "width", "unit"])
      let color = reader.required("color", ArgumentType<SpelledColor>.color)
      let width = reader.optional("width", ArgumentType<Double>.number, default: 1)
      let unit = reader.optional("unit", ArgumentType<ImageProcessor.Unit>.oneOf, default: .points)
      guard let color, reader.mistakes.isEmpty else { return .failure(.init(mistakes: reader.mistakes)) }
      return .success(ImageProcessor.Border(color: ImageProcessor.Color(color), width: width, unit: unit))
    }
  }
}

extension ImageProcessor.Color {
  init(_ color: SpelledColor) {
    switch color {
    case .rgba(let red, let green, let blue, let alpha):
      self = .rgba(red: red, green: green, blue: blue, alpha: alpha)
    case .gray(let white, let alpha): self = .rgba(red: white, green: white, blue: white, alpha: alpha)
    case .described(let text): self = .described(text)
    }
  }
}

extension NukeClient {
  package var processors: [ProcessorSpelling] { NukeProcessors.spellings }
  package var processorNames: [String] { NukeProcessors.names }
  package var processorExample: String { "resize(width: 320)" }

  package func member(
    _ syntax: ChainSyntax.Member, _ mistakes: inout [Mistake], _ lints: inout [Mistake]
  ) -> ChainMember? {
    let member = NukeProcessors.member(syntax, &mistakes)
    // 13.0.1 repairs what came with 12.8.0 (`ImageDecoders.Default`, `makeThumbnail`).
    if member?.content(as: ThumbnailOptions.self)?.createThumbnailWithTransform == true,
      (NukeVersion(12, 8, 0)..<NukeVersion(13, 0, 1)).contains(version)
    {
      lints.append(
        Mistake(
          syntax.offset,
          "Nuke \(version) turns thumbnails of pictures with an EXIF orientation twice; made here they are upright",
          help: "the app shows them wrong only if it makes them itself; Nuke 13.0.1 and later do not"))
    }
    return member
  }
}

extension NukeProcessors {
  /// `thumbnail(maxPixelSize: N)` or `thumbnail(size: WxH)`, each with its four switches.
  static func thumbnail(_ member: ChainSyntax.Member, _ mistakes: inout [Mistake])
    -> ThumbnailOptions?
  {
    let all = ProcessorSpelling.labels(thumbnails)
    let labels = (member.arguments ?? []).compactMap(\.label)
    let form = labels.first { $0 == "maxPixelSize" || $0 == "size" }
    let own =
      form == "maxPixelSize" ? thumbnailOfSide.labels : form == "size" ? thumbnailOfSize.labels : all
    let before = mistakes.count
    let options = member.read(own, form: form, otherForms: all, &mistakes) { reader in
      var options: ThumbnailOptions?
      switch form {
      case "maxPixelSize":
        options = reader.required("maxPixelSize", .number).map { ThumbnailOptions(maxPixelSize: $0) }
      case "size":
        let size = reader.required("size", .size)
        let unit = reader.optional("unit", .oneOf, default: ImageProcessor.Unit.points)
        let mode = reader.optional("contentMode", .oneOf, default: ImageProcessor.ContentMode.aspectFill)
        options = size.map {
          ThumbnailOptions(width: $0.width, height: $0.height, unit: unit, contentMode: mode)
        }
      default: break
      }
      let values = thumbnailSwitches.map { reader.optional($0, .bool, default: true) }
      options?.createThumbnailFromImageIfAbsent = values[0]
      options?.createThumbnailFromImageAlways = values[1]
      options?.createThumbnailWithTransform = values[2]
      options?.shouldCacheImmediately = values[3]
      return options
    }
    if form == nil, mistakes.count == before {
      mistakes.append(
        Mistake(
          member.offset, "thumbnail needs 'maxPixelSize:' or 'size:'", help: "thumbnail(maxPixelSize: 256)"))
    }
    return options
  }
}

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
