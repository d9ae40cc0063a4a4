import Text

/// Identifiers and reasons, by the rows of ``ProcessorKey``.
extension CacheKeyFormat {
  /// `ImageProcessing.identifier` of the processor that an app spells so.
  public func identifier(of processor: ImageProcessor) -> String {
    ProcessorKey.all.key(of: processor.call, KeyContext(self))
  }

  /// The thumbnail's part of the key. Mind that its prefix begins `com.github/kean`, with a slash,
  /// unlike the processors'.
  public func thumbnailIdentifier(of thumbnail: ThumbnailOptions) -> String {
    ProcessorKey.all.key(of: thumbnail.call, KeyContext(self))
  }

  /// Why this version has no key for a request, in a sentence for people; nil where it has one.
  ///
  /// The other functions never fail, so ask this first: for a request that the version cannot
  /// express they give text that no app will ever look up.
  public func unsupportedReason(thumbnail: ThumbnailOptions?, processors: [ImageProcessor]) -> String? {
    ((thumbnail.map { [$0.call] } ?? []) + processors.map(\.call)).lazy
      .compactMap { ProcessorKey.all.unsupportedReason($0, KeyContext(self)) }.first
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

extension ImageProcessor.Border {
  fileprivate var value: ProcessorValue {
    let color: ColorValue =
      switch self.color {
      case .rgba(let red, let green, let blue, let alpha):
        .rgba(red: red, green: green, blue: blue, alpha: alpha)
      case .described(let text): .described(text)
      }
    return .group(["color": .color(color), "width": .number(width), "unit": .word(unit.rawValue)])
  }
}

extension ThumbnailOptions {
  /// The thumbnail as its row has it.
  package var call: ProcessorCall {
    var values: ProcessorValues = [:]
    switch size {
    case .maxPixelSize(let side): values["maxPixelSize"] = .number(side)
    case .flexible(let width, let height, let unit, let mode):
      values["size"] = .numbers([width, height])
      values["unit"] = .word(unit.rawValue)
      values["contentMode"] = .word(mode.rawValue)
    }
    let flags = [
      createThumbnailFromImageIfAbsent, createThumbnailFromImageAlways, createThumbnailWithTransform,
      shouldCacheImmediately,
    ]
    for (name, flag) in zip(ProcessorKey.switches, flags) { values[name] = .flag(flag) }
    return ProcessorCall("thumbnail", values)
  }
}
