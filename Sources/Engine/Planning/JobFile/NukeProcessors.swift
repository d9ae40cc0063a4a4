import NukeCache

/// Nuke's processors as a job spells them.
enum NukeProcessors {
  package static let names = [
    "resize", "circle", "roundedCorners", "gaussianBlur", "coreImage", "custom", "thumbnail",
  ]

  /// The processor that `member` spells, or nil with at least one mistake more.
  package static func processor(_ member: ChainSyntax.Member, _ mistakes: inout [Mistake]) -> ImageProcessor?
  {
    switch member.name {
    case "resize": resize(member, &mistakes)
    case "circle":
      read(member, ["border"], &mistakes) { .circle(border: $0.optional("border", .border)) }
    case "roundedCorners":
      read(member, ["radius", "unit", "border"], &mistakes) { reader in
        let radius = reader.required("radius", .number)
        let unit = reader.optional("unit", .oneOf, default: ImageProcessor.Unit.points)
        let border = reader.optional("border", .border)
        return radius.map { .roundedCorners(radius: $0, unit: unit, border: border) }
      }
    case "gaussianBlur":
      read(member, ["radius"], &mistakes) { .gaussianBlur(radius: $0.optional("radius", .whole, default: 8)) }
    case "coreImage":
      read(member, ["name", "identifier"], &mistakes) { reader in
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
    let all = ["size", "width", "height", "unit", "contentMode", "crop", "upscale"]
    guard let form = labels.first(where: { ["size", "width", "height"].contains($0) }) else {
      // An unknown word is likely to be the reason: `widht: 320`.
      let before = mistakes.count
      _ = read(member, all, &mistakes) { _ in ImageProcessor?.none }
      if mistakes.count == before {
        mistakes.append(
          Mistake(member.offset, "resize needs 'size:', 'width:' or 'height:'", help: "resize(width: 320)"))
      }
      return nil
    }
    if form == "size" {
      let own = ["size", "unit", "contentMode", "crop", "upscale"]
      return read(member, own, form: form, otherForms: all, &mistakes) { reader in
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
    return read(member, [form, "unit", "upscale"], form: form, otherForms: all, &mistakes) { reader in
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

  private static func read<T>(
    _ member: ChainSyntax.Member, _ labels: [String], form: String? = nil, otherForms: [String] = [],
    _ mistakes: inout [Mistake], _ build: (inout ArgumentReader) -> T?
  ) -> T? {
    member.read(labels, form: form, otherForms: otherForms, &mistakes, build)
  }
}
