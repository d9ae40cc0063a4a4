import ClientKit
import KingfisherCache
import Pictures
import Text

extension KingfisherClient {
  package var processorRows: [ProcessorRow] { KingfisherProcessors.rows }
  /// A list that draws sharp pictures sets `scaleFactor`; no key holds it.
  package var starter: StarterJob {
    (
      folder: "com.onevcat.Kingfisher.ImageCache.default", scales: "3", thumb: "downsampling(size: 120x120)",
      card: "downsampling(size: 320x320)"
    )
  }
}

/// Kingfisher's processors: the initialisers' own words and defaults (8.11.0), and what the workers draw for them.
///
/// Facts: Kingfisher 5.0.0 to 8.11.0, `ImageProcessor.swift`, `ImageDrawing.swift` and `Filter.swift`; how near the
/// drawing comes is in `docs/processors.md`. Sizes are in points: the request's `scaleFactor`, which is 1 unless the
/// app sets it, makes pixels of them.
enum KingfisherProcessors {
  static let rows = [
    resizing, downsampling, roundCorner, roundCornerOfRadius, blur, blurOfModifier, overlay, tint,
    colorControls, blackWhite, cropping, blend, border, plain,
  ]

  // MARK: Sizes

  private static let resizing = ProcessorRow(
    ProcessorKey.resizing,
    [
      .needed("referenceSize", .size),
      .optional("mode", .choice(ProcessorKey.contentModes), .word("none")),
    ], "draws at a size, as it is or to fit or fill it", code: "ResizingImageProcessor"
  ) { values, context in
    [.resizing(resizing(values.size("referenceSize"), values.word("mode"), context))]
  }

  /// Only the larger of the two numbers counts. Before 5.3.0 an image that was decoded already was resized to exactly the
  /// size.
  private static let downsampling = ProcessorRow(
    ProcessorKey.downsampling, [.needed("size", .size)],
    "a small picture from the file; its longer side is the size's larger one",
    code: "DownsamplingImageProcessor"
  ) { values, context in
    let size = values.size("size")
    if !context.isFirst, context.release < Release(5, 3, 0) {
      return [.resizing(resizing(size, "none", context))]
    }
    return [
      .thumbnail(
        size: .maxPixelSize(max(size.width, size.height) * context.scale), fromImageIfAbsent: true,
        fromImageAlways: true)
    ]
  }

  private static let cropping = ProcessorRow(
    ProcessorKey.cropping,
    [
      .needed("size", .size),
      .optional("anchor", .point, .numbers([0.5, 0.5])).inCode(always: true),
    ], "cuts a part out", code: "CroppingImageProcessor"
  ) { values, context in
    let (size, anchor) = (values.size("size"), values.size("anchor"))
    return [
      .cropping(
        width: size.width, height: size.height, anchorX: anchor.width, anchorY: anchor.height,
        scale: context.scale)
    ]
  }

  private static func resizing(
    _ size: (width: Double, height: Double), _ mode: String, _ context: KeyContext
  ) -> RenderStep.Resizing {
    let modes: [String: RenderStep.ContentMode] = ["aspectFit": .aspectFit, "aspectFill": .aspectFill]
    return .init(width: size.width, height: size.height, contentMode: modes[mode], scale: context.scale)
  }

  // MARK: Corners and borders

  private static let corners = Parameter.optional(
    "roundingCorners", .corners(all: ProcessorKey.allCorners, name: ".all"), .corners(ProcessorKey.allCorners)
  )
  private static let background = Parameter.optional("backgroundColor", .color(keepsGray: true))
  private static let target = Parameter.optional("targetSize", .size)
  private static let radius = ParameterType.measure(["point", "widthFraction", "heightFraction"])

  private static let roundCorner = ProcessorRow(
    ProcessorKey.roundCorner, [.needed("cornerRadius", .number), target, corners, background],
    "rounds corners by a radius in points; corners are topLeft, topRight, bottomLeft, bottomRight, joined with +",
    code: "RoundCornerImageProcessor", lint: backgroundLint
  ) { values, context in
    [rounding(values, .pixels(values.number("cornerRadius") * context.scale), context)]
  }

  /// A radius in points is the same as a corner radius.
  private static let roundCornerOfRadius = ProcessorRow(
    ProcessorKey.roundCornerOfFraction, [.needed("radius", radius), target, corners, background],
    "rounds corners by a radius: point(N), widthFraction(N) or heightFraction(N)",
    code: "RoundCornerImageProcessor", lint: backgroundLint
  ) { values, context in
    [rounding(values, radius(values, context), context)]
  }.with {
    $0.normal = { values in
      guard case .measure("point", let points) = values["radius"] else { return values }
      var values = values
      values["cornerRadius"] = .number(points)
      values["radius"] = nil
      return values
    }
  }

  private static func rounding(
    _ values: ProcessorValues, _ radius: RenderStep.Radius, _ context: KeyContext
  ) -> RenderStep {
    .cornerRounding(
      radius: radius, corners: corners(values),
      target: values.has("targetSize") ? resizing(values.size("targetSize"), "none", context) : nil,
      background: values.color("backgroundColor").map(RenderStep.Color.init))
  }

  private static func corners(_ values: ProcessorValues) -> RenderStep.Corners {
    RenderStep.Corners(rawValue: Int(bitPattern: values.corners("roundingCorners")))
  }

  private static func radius(_ values: ProcessorValues, _ context: KeyContext) -> RenderStep.Radius {
    switch values["radius"] {
    case .measure("widthFraction", let part): .widthFraction(part)
    case .measure("heightFraction", let part): .heightFraction(part)
    case .measure(_, let points): .pixels(points * context.scale)
    default: .pixels(0)
    }
  }

  /// The client sets the colour with its alpha and then the context's alpha to the same, so that it counts twice.
  private static let border = ProcessorRow(
    ProcessorKey.border,
    [
      .optional("color", .color(keepsGray: true), .color(.gray(white: 0, alpha: 1))).inCode(always: true),
      .optional("lineWidth", .number, .number(4)).inCode(always: true),
      .optional("radius", radius, .measure("point", 0)).inCode(always: true), corners,
    ], "a line inside the edge", code: "BorderImageProcessor",
    lint: { _, _ in
      (
        "this key holds a border as Swift prints it: a colour in UIKit's words, names that a build may strip",
        "compare it with the app's own"
      )
    }
  ) { values, context in
    guard var color = values.color("color").map(RenderStep.Color.init) else { return [] }
    color.alpha *= color.alpha
    return [
      .edgeLine(
        width: values.number("lineWidth") * context.scale, color: color, radius: radius(values, context),
        corners: corners(values))
    ]
  }.with { $0.swift = { "BorderImageProcessor(border: Border(\($0)))" } }

  // MARK: Colours

  /// The radius times the scale factor is one in pixels, of at least 2 (`blurred(withRadius:)`, 5.0.0 to 8.11.0). From
  /// 0.5 to 1.5 it convolves twice but keeps the result of the first time, as its two buffers change places.
  private static let blur = ProcessorRow(
    ProcessorKey.blur, [.needed("blurRadius", .number)], "blurs", code: "BlurImageProcessor"
  ) { values, context in
    let radius = values.number("blurRadius") * context.scale
    let sigma = radius.isNaN ? 2 : max(radius, 2)
    return [
      .boxBlur(
        width: RenderStep.BoxBlur.width(sigma: sigma), passes: radius < 1.5 ? 1 : 3, keepsOpaque: true)
    ]
  }
  private static let blurOfModifier = ProcessorRow(
    alias: "blur", form: "radius", [.needed("radius", .number)],
    "the same, as the modifier of KFImage spells it"
  ) { ProcessorCall("blur", ["blurRadius": $0["radius"]]) }

  private static let overlay = ProcessorRow(
    ProcessorKey.overlay,
    [
      .needed("color", .color(keepsGray: true)).inCode("overlay"),
      .optional("fraction", .number, .number(0.5)).inCode(always: true),
    ], "a colour below the picture in its shape", code: "OverlayImageProcessor"
  ) { values, _ in
    values.color("color").map(RenderStep.Color.init)
      .map { [.overlay(color: $0, fraction: values.number("fraction"))] } ?? []
  }

  private static let tint = ProcessorRow(
    ProcessorKey.tint, [.needed("color", .color(keepsGray: true)).inCode("tint")],
    "a colour over the picture", code: "TintImageProcessor"
  ) { values, _ in
    values.color("color").map(RenderStep.Color.init).map { [.tint($0)] } ?? []
  }

  private static let colorControls = ProcessorRow(
    ProcessorKey.colorControls,
    [
      .needed("brightness", .number), .needed("contrast", .number), .needed("saturation", .number),
      .needed("inputEV", .number),
    ], "changes brightness, contrast, saturation and exposure", code: "ColorControlsProcessor"
  ) { values, _ in
    [
      .colorControls(
        brightness: values.number("brightness"), contrast: values.number("contrast"),
        saturation: values.number("saturation"), exposure: values.number("inputEV"))
    ]
  }

  private static let blackWhite = ProcessorRow(
    ProcessorKey.blackWhite, [], "takes the colours away", code: "BlackWhiteProcessor"
  ) { _, _ in [.colorControls(brightness: 0, contrast: 1, saturation: 0, exposure: 0.7)] }

  private static let blend = ProcessorRow(
    ProcessorKey.blend,
    [
      .needed("blendMode", .blendMode(ProcessorKey.blendModes, example: "multiply")),
      .optional("alpha", .number, .number(1)).inCode(always: true), background,
    ], "draws in a blend mode, by its name or raw value", code: "BlendImageProcessor"
  ) { values, _ in
    [
      .blend(
        mode: RenderStep.BlendMode(name: values.word("blendMode")) ?? .normal,
        alpha: values.number("alpha"),
        background: values.color("backgroundColor").map(RenderStep.Color.init))
    ]
  }

  private static let plain = ProcessorRow(
    ProcessorKey.plain, [], "the default processor, where the app names it",
    code: "DefaultImageProcessor.default"
  ) { _, _ in [] }.with { $0.swift = { _ in "DefaultImageProcessor.default" } }

  // MARK: What an author should know

  @Sendable private static func backgroundLint(
    _ values: ProcessorValues, _ client: any KeyClient
  ) -> RowLint? {
    values.has("backgroundColor")
      ? (
        "this key holds a colour as UIKit prints it, which Apple does not promise to keep",
        "compare it with the app's own, or leave backgroundColor out"
      ) : nil
  }
}
