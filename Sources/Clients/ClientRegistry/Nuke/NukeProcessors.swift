import ClientKit
import NukeCache
import Pictures
import Text

extension NukeClient {
  package var processorRows: [ProcessorRow] { NukeProcessors.rows }
  package var starter: StarterJob {
    (
      folder: "com.github.kean.Nuke.DataCache", scales: "2 3", thumb: "resize(width: 120)",
      card: "resize(width: 320)"
    )
  }
}

/// Nuke's processors and thumbnails: the words of its initialisers, and what the workers draw for them.
///
/// Facts: Nuke 10.0.0 to 13.2.0, `ImageProcessors+*.swift`; sizes as measured in `nuke-resize.tsv`.
enum NukeProcessors {
  static let rows = [
    resizeToSize, resizeToWidth, resizeToHeight, circle, roundedCorners, gaussianBlur, coreImage,
    coreImageFilter, thumbnailOfSide, thumbnailOfSize,
  ]

  private static let unit = Parameter.optional("unit", .choice(ProcessorKey.units), .word("points"))
  private static let mode = Parameter.optional(
    "contentMode", .choice(ProcessorKey.contentModes), .word("aspectFill"))
  private static let upscale = Parameter.optional("upscale", .flag, .flag(false))
  private static let border = Parameter.optional(
    "border",
    .group(
      [
        .needed("color", .color(keepsGray: false)), .optional("width", .number, .number(1)), unit,
      ], type: "ImageProcessingOptions.Border", example: "(color: #FF0000, width: 2)"))
  private static let switches = ProcessorKey.switches.map { Parameter.optional($0, .flag, .flag(true)) }

  private static let resizeToSize = ProcessorRow(
    ProcessorKey.resizeToSize,
    [.needed("size", .size), unit, mode, .optional("crop", .flag, .flag(false)), upscale],
    "scales to fill or fit a size, or cuts to it", code: ".resize"
  ) { values, context in
    let size = values.size("size")
    return resize(size.width, size.height, values, context)
  }

  /// The side that an initialiser leaves open is 9999 units, so very tall pictures are limited by it.
  private static let resizeToWidth = ProcessorRow(
    ProcessorKey.resizeToWidth, [.needed("width", .number), unit, upscale],
    "scales to a width; the height follows", code: ".resize"
  ) { values, context in resize(values.number("width"), 9999, values, context) }

  private static let resizeToHeight = ProcessorRow(
    ProcessorKey.resizeToHeight, [.needed("height", .number), unit, upscale],
    "scales to a height; the width follows", code: ".resize"
  ) { values, context in resize(9999, values.number("height"), values, context) }

  private static func resize(
    _ width: Double, _ height: Double, _ values: ProcessorValues, _ context: KeyContext
  ) -> ChainForm.Drawing {
    let size = context.format.pixelSize(width: width, height: height, unit: values.unit)
    return [
      .resize(
        width: size.width, height: size.height, contentMode: values.mode, crop: values.flag("crop"),
        upscale: values.flag("upscale"), cropEnlarges: context.release < Release(13, 2, 0))
    ]
  }

  /// Since 12.1.1 the square is one (`byCroppingToSquare`).
  private static let circle = ProcessorRow(
    ProcessorKey.circle, [border], "cuts the centred square and rounds it to a circle", code: ".circle"
  ) { values, context in
    drawing(border: values, context) {
      context.release < Release(12, 1, 1) ? .wideCircle(border: $0) : .circle(border: $0)
    }
  }

  private static let roundedCorners = ProcessorRow(
    ProcessorKey.roundedCorners, [.needed("radius", .number), unit, border], "rounds the corners",
    code: ".roundedCorners"
  ) { values, context in
    drawing(border: values, context) {
      .roundedCorners(radius: context.format.pixels(values.number("radius"), values.unit), border: $0)
    }
  }

  private static func drawing(
    border values: ProcessorValues, _ context: KeyContext, _ step: (RenderStep.Border?) -> RenderStep
  ) -> ChainForm.Drawing {
    guard let border = values.group("border"), let color = border.color("color").map(RenderStep.Color.init)
    else { return [step(nil)] }
    return [step(.init(width: context.format.pixels(border.number("width"), border.unit), color: color))]
  }

  /// 10 to 12 use `CIGaussianBlur`, whose radius is the Gaussian's sigma; since 13.0.0 it is boxes, and the radius is in
  /// pixels. Before 13.2.0 it was at least 2 and the result always had alpha; since then 0 leaves the picture alone.
  /// vImage's sums overflow beyond a width of 2901 (`ImageProcessors+GaussianBlur.swift`).
  private static let gaussianBlur = ProcessorRow(
    ProcessorKey.gaussianBlur, [.optional("radius", .whole, .whole(8)).inCode(always: true)], "blurs",
    code: ".gaussianBlur"
  ) { values, context in
    let radius = values.whole("radius")
    guard context.release >= Release(13, 0, 0) else {
      return [.gaussianBlur(radius: Double(max(0, radius)), keepsOpaque: false)]
    }
    let isOld = context.release < Release(13, 2, 0)
    if !isOld, radius <= 0 { return [] }
    let sigma = isOld ? max(Double(radius), 2) : Double(radius)
    return [
      .boxBlur(width: RenderStep.BoxBlur.width(sigma: sigma), passes: 3, keepsOpaque: !isOld)
    ]
  }

  private static let filter =
    [Parameter.needed("name", .filterName)] + CoreImageFilters.inputs + [
      // It belongs to the parameters of the app's code, of which the key has nothing else.
      .optional("identifier", .quoted).inCode("parameters") { "\($1), identifier: \($0)" }
    ]

  private static let coreImage = ProcessorRow(
    ProcessorKey.coreImage, filter,
    "a Core Image filter; its inputs go with an identifier; docs/processors.md lists those that are drawn",
    code: ".coreImageFilter", lint: whyUndrawn, drawing: filtered)

  private static let filtered: @Sendable (ProcessorValues, KeyContext) -> ChainForm.Drawing = {
    values, context in
    let name = values.text("name")
    let hasInputs = CoreImageFilters.hasInputs(values)
    let key = ProcessorKey.all.key(of: ProcessorCall("coreImage", values), context)
    let drawing = CoreImageFilters.drawing(of: values, example: "coreImage(name: CISepiaTone)", key: key)
    guard values.has("identifier") != hasInputs, case .steps = drawing else { return drawing }
    return hasInputs
      ? .impossible(
        reason: "the key of a name alone is that of \(name)'s defaults",
        substitute: "the app gives an identifier with its parameters: identifier: \"TEXT\"")
      : .impossible(
        reason: "the parameters that go with \"\(key)\" are not known",
        substitute: "write them, such as inputIntensity: 0.5; if they are the filter's defaults, write "
          + "coreImage(name: \(name)) as \"\(key)\"")
  }

  private static let whyUndrawn: @Sendable (ProcessorValues, any KeyClient) -> RowLint? = { values, client in
    guard CoreImageFilters.hasInputs(values) else { return nil }
    return CoreImageFilters.whyUndrawn(filtered(values, KeyContext(release: client.identity.release)))
  }

  private static let coreImageFilter = ProcessorRow(alias: "coreImageFilter", filter, "the same") {
    ProcessorCall("coreImage", $0)
  }

  private static let thumbnailOfSide = ProcessorRow(
    ProcessorKey.thumbnailOfSide, [.needed("maxPixelSize", .number)] + switches,
    "a thumbnail request by its longer side; only at the beginning of a chain",
    code: "ImageRequest.ThumbnailOptions", isLeading: true
  ) { values, context in
    let side = values.number("maxPixelSize")
    return thumbnail(
      .maxPixelSize(context.release.major == 10 ? side : Double(Float(side))), values, context)
  }.with { $0.takesIdentifier = true }

  private static let thumbnailOfSize = ProcessorRow(
    ProcessorKey.thumbnailOfSize, [.needed("size", .size), unit, mode] + switches,
    "a thumbnail request by a size; only at the beginning of a chain", code: "ImageRequest.ThumbnailOptions",
    isLeading: true
  ) { values, context in
    let size = values.size("size")
    let pixels = context.format.pixelSize(width: size.width, height: size.height, unit: values.unit)
    return thumbnail(
      .flexible(width: pixels.width, height: pixels.height, contentMode: values.mode), values, context)
  }.with { $0.takesIdentifier = true }

  private static func thumbnail(
    _ size: RenderStep.Thumbnail.Size, _ values: ProcessorValues, _ context: KeyContext
  ) -> ChainForm.Drawing {
    [
      .thumbnail(
        size: size, fromImageIfAbsent: values.flag("createThumbnailFromImageIfAbsent"),
        fromImageAlways: values.flag("createThumbnailFromImageAlways"),
        // From 12.8.0 on the app turns it by its tag.
        isUnturned: !values.flag("createThumbnailWithTransform") && context.release < Release(12, 8, 0))
    ]
  }
}

extension ProcessorValues {
  fileprivate var unit: ImageProcessor.Unit { ImageProcessor.Unit(rawValue: word("unit")) ?? .points }

  /// A resize to a width or a height always fits.
  fileprivate var mode: RenderStep.ContentMode {
    word("contentMode") == "aspectFill" ? .aspectFill : .aspectFit
  }
}

/// A chain as Nuke has it: an ordered list of processors, or a thumbnail request that may go on with processors, or
/// nothing at all (`original`).
struct NukeChain {
  var thumbnail: ProcessorCall?
  var processors: [ProcessorCall] = []
  /// The text of an app's delegate behind the URL in the key of a request without processors.
  private var ending = ""
  /// A delegate makes the whole key: an empty identifier, and one of a thumbnail, stand for nothing else.
  let isDelegates: Bool

  init(_ chain: Chain) {
    if chain.isOriginal {
      ending = chain.calls.first?.identifier ?? ""
    } else {
      (thumbnail, processors) = NukeProcessors.rows.parts(of: chain)
    }
    isDelegates =
      thumbnail?.identifier != nil || chain.calls.contains { $0.isOriginal || $0.identifier == "" }
  }

  var shape: RequestShape {
    RequestShape(hasThumbnail: thumbnail != nil, processorCount: processors.count)
  }

  /// The keys of a delegate for the original, and for fewer processors, stand in no job.
  func isKnown(_ part: KeyPart) -> Bool { !isDelegates || part == shape.fullKey }

  /// What a part of the chain adds to a key.
  func suffix(_ part: KeyPart, _ context: KeyContext) -> KeySuffix {
    let calls =
      (part.hasThumbnail ? thumbnail.map { [$0] } ?? [] : []) + processors.prefix(part.processorCount)
    return KeySuffix(
      hasThumbnail: part.hasThumbnail, processors: part.processorCount,
      calls.map { ProcessorKey.all.key(of: $0, context) }.joined() + ending)
  }
}
