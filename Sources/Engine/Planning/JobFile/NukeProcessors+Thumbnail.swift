import NukeCache

extension NukeProcessors {
  /// `thumbnail(maxPixelSize: N)` or `thumbnail(size: WxH)`, each with its four switches.
  package static func thumbnail(_ member: ChainSyntax.Member, _ mistakes: inout [Mistake])
    -> ThumbnailOptions?
  {
    let switches = [
      "createThumbnailFromImageIfAbsent", "createThumbnailFromImageAlways", "createThumbnailWithTransform",
      "shouldCacheImmediately",
    ]
    let sizes = ["maxPixelSize", "size", "unit", "contentMode"]
    let labels = (member.arguments ?? []).compactMap(\.label)
    let form = labels.first { $0 == "maxPixelSize" || $0 == "size" }
    let own = form == "maxPixelSize" ? ["maxPixelSize"] : form == "size" ? Array(sizes[1...]) : sizes
    let before = mistakes.count
    let options = member.read(own + switches, form: form, otherForms: sizes, &mistakes) { reader in
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
      let values = switches.map { reader.optional($0, .bool, default: true) }
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
