import ClientKit
import Foundation
import Pictures
import SDWebImageCache
import Text

extension SDWebImageClient {
  package var processorRows: [ProcessorRow] { SDWebImageProcessors.rows }
  package var starter: StarterJob {
    (
      folder: "com.hackemist.SDImageCache/default", scales: nil,
      thumb: "resize(size: 120x120, scaleMode: aspectFill)",
      card: "resize(size: 320x320, scaleMode: aspectFill)"
    )
  }
}

/// SDWebImage's thumbnail sizes and transformers: the initialisers' own words (5.21.5), and what the workers draw for
/// them.
///
/// Facts: SDWebImage 5.0.0 to 5.21.5, `SDImageTransformer.h`, `UIImage+Transform.m` and `SDImageIOAnimatedCoder.m`; how
/// near the drawing comes is in `docs/processors.md`. Sizes are in points of the picture.
enum SDWebImageProcessors {
  static let rows = [thumbnail, resize, crop, roundCorner, flip, rotate, tint, blur, filter]

  /// In pixels. A picture that is nowhere larger stays as it is, and so does any at a size without a width or a height.
  private static let thumbnail = ProcessorRow(
    TransformerKey.thumbnail,
    [.needed("size", .size), .optional("preserveAspectRatio", .flag, .flag(true))],
    "a request's imageThumbnailPixelSize, in pixels; only at the beginning of a chain", isLeading: true
  ) { values, _ in
    let (width, height) = values.size("size")
    guard width > 0, height > 0 else { return [] }
    return values.flag("preserveAspectRatio")
      ? [
        .thumbnail(
          size: .flexible(width: width, height: height, contentMode: .aspectFit),
          fromImageIfAbsent: true, fromImageAlways: true)
      ]
      : [.resizing(.init(width: width, height: height, contentMode: nil, scale: 1, keepsSmaller: true))]
  }

  private static let scaleMode = ParameterType.numbered(
    TransformerKey.scaleModes, placeholder: "fill|aspectFit|aspectFill",
    expected: "fill, aspectFit or aspectFill", example: "aspectFill")

  private static let resize = ProcessorRow(
    TransformerKey.resize,
    [
      .needed("size", .size),
      .optional("scaleMode", scaleMode, .word("fill")).inCode(always: true),
    ],
    "draws at a size in points: distorted, whole with transparent margins, or cut to it",
    code: "SDImageResizingTransformer"
  ) { values, context in
    let (size, scale) = (values.size("size"), context.scale)
    switch values.word("scaleMode") {
    case "aspectFit": return [.letterbox(width: size.width * scale, height: size.height * scale)]
    case "aspectFill":
      // A bitmap has room for the last fraction of a pixel, but not for the noise of a multiplication.
      func side(_ points: Double) -> Double { (points * scale - 1e-6).rounded(.up) }
      return [
        .resize(
          width: side(size.width), height: side(size.height), contentMode: .aspectFill, crop: true,
          upscale: true, cropEnlarges: true, isBitmap: true)
      ]
    default:
      return [
        .resizing(
          .init(width: size.width, height: size.height, contentMode: nil, scale: scale, isBitmap: true))
      ]
    }
  }

  private static let crop = ProcessorRow(
    TransformerKey.crop, [.needed("rect", .rectangle)], "cuts a rectangle out, in points",
    code: "SDImageCroppingTransformer"
  ) { values, context in
    let rect = values.numbers("rect").map { $0 * context.scale }
    guard rect.count == 4 else { return [] }
    return [.region(left: rect[0], top: rect[1], width: rect[2], height: rect[3])]
  }

  /// The picture is clipped inside the border's width, and the border is stroked half a pixel further in. Its radius is
  /// the corner's without half the scale, in points, whatever the width.
  private static let roundCorner = ProcessorRow(
    TransformerKey.roundCorner,
    [
      .needed("radius", .number),
      .optional(
        "corners",
        .corners(all: SDImageTransformer.RectCorner.allCorners.rawValue, name: ".allCorners"),
        .corners(SDImageTransformer.RectCorner.allCorners.rawValue)
      ).inCode(always: true),
      .optional("borderWidth", .number, .number(0)).inCode(always: true),
      .optional("borderColor", .color(keepsGray: false)).inCode(always: true),
    ],
    "rounds corners, inside a border; corners are topLeft, topRight, bottomLeft, bottomRight, joined with +",
    code: "SDImageRoundCornerTransformer"
  ) { values, context in
    let (radius, scale) = (values.number("radius"), context.scale)
    let width = values.number("borderWidth") * scale
    var line: RenderStep.Framing.Line?
    if let color = values.color("borderColor").map(RenderStep.Color.init), width > 0 {
      let middle = radius > scale / 2 ? (radius - scale / 2) * scale : 0
      line = .init(
        inset: width.rounded(.down) + 0.5 - width / 2, width: width,
        radius: middle > 0 ? middle + width / 2 : 0, color: color)
    }
    let corners = RenderStep.Corners(rawValue: Int(values.corners("corners") & 15))
    return [.framing(inset: width, radius: radius * scale, corners: corners, line: line)]
  }

  private static let flip = ProcessorRow(
    TransformerKey.flip,
    [
      .optional("horizontal", .flag, .flag(false)).inCode(always: true),
      .optional("vertical", .flag, .flag(false)).inCode(always: true),
    ], "mirrors", code: "SDImageFlippingTransformer"
  ) { values, _ in
    [.flip(horizontal: values.flag("horizontal"), vertical: values.flag("vertical"))]
  }

  private static let rotate = ProcessorRow(
    TransformerKey.rotate,
    [.needed("angle", .number), .optional("fitSize", .flag, .flag(true)).inCode(always: true)],
    "turns counterclockwise by an angle in radians; fitSize gives all of it room",
    code: "SDImageRotationTransformer"
  ) { values, _ in
    let angle = values.number("angle")
    return [.rotation(cosine: cos(angle), sine: sin(angle), fitsCanvas: values.flag("fitSize"))]
  }

  /// Before 5.20.0 a tint was laid atop of the picture. Since then it takes the picture's place in its shape, unless
  /// another mode is given, which 5.21.2 and later follow. A colour that is not seen changes nothing.
  private static let tint = ProcessorRow(
    TransformerKey.tint,
    [
      .needed("color", .color(keepsGray: false)),
      .optional("blendMode", .blendMode(TransformerKey.blendModes, example: "sourceAtop")),
    ], "a colour upon the picture in a blend mode, by its name or raw value", code: "SDImageTintTransformer"
  ) { values, context in
    guard let color = values.color("color").map(RenderStep.Color.init),
      color.alpha > Double(Float.ulpOfOne)
    else { return [] }
    let usual = context.release < Release(5, 20, 0) ? "sourceAtop" : "sourceIn"
    let isGiven = values.has("blendMode") && context.release >= Release(5, 21, 2)
    let name = isGiven ? values.word("blendMode") : usual
    return [.colorBlend(mode: RenderStep.BlendMode(name: name) ?? .normal, color: color)]
  }

  /// The radius times the scale is one in pixels, of at least 2. Up to 5.4.3 the boxes have half of the width, and up to
  /// 5.15.4 a small radius averages less often (`sd_blurredImageWithRadius`).
  private static let blur = ProcessorRow(
    TransformerKey.blur, [.needed("radius", .number)], "blurs", code: "SDImageBlurTransformer"
  ) { values, context in
    let radius = values.number("radius") * context.scale
    guard values.number("radius") > Double(Float.ulpOfOne) else { return [] }
    let passes = context.release >= Release(5, 15, 5) || radius >= 1.5 ? 3 : radius < 0.5 ? 1 : 2
    let width = RenderStep.BoxBlur.width(
      sigma: max(radius, 2), parts: context.release < Release(5, 5, 0) ? 2 : 1)
    return [.boxBlur(width: width, passes: passes, keepsOpaque: true)]
  }

  private static let filter = ProcessorRow(
    TransformerKey.filter,
    [
      .needed("name", .filterName).inCode("filter") { name, inputs in
        "CIFilter(name: \(name)\(inputs == "[:]" ? "" : ", parameters: \(inputs)")) ?? CIFilter()"
      }
    ] + CoreImageFilters.inputs,
    "a Core Image filter and its inputs; docs/processors.md lists those that are drawn",
    code: "SDImageFilterTransformer", lint: leavesInputsOpen, drawing: filtered)

  /// The key has the filter's name alone (`SDImageTransformer.m`), so one without an effect is hardly the app's.
  private static let filtered: @Sendable (ProcessorValues, KeyContext) -> ChainForm.Drawing = {
    values, context in
    let name = values.text("name")
    if !CoreImageFilters.hasInputs(values), CoreImageFilters.isIdle(name) {
      return .impossible(
        reason: "\(name) changes nothing by its defaults, and the key does not have what the app sets",
        substitute: CoreImageFilters.example("filter", name).map { "write its inputs: \($0)" })
    }
    return CoreImageFilters.drawing(
      of: values, example: "filter(name: CISepiaTone)", key: TransformerKey.filter.write(values, context))
  }

  private static let leavesInputsOpen: @Sendable (ProcessorValues, any KeyClient) -> RowLint? = {
    values, client in
    let name = values.text("name")
    if let why = CoreImageFilters.whyUndrawn(filtered(values, KeyContext(release: client.identity.release))) {
      return CoreImageFilters.isKnown(name) ? why : nil
    }
    guard !CoreImageFilters.hasInputs(values), let usual = CoreImageFilters.example("filter", name) else {
      return nil
    }
    return (
      "the key has the filter's name alone: \(name) is drawn by its defaults, whatever the app sets",
      "write the inputs that the app sets; the defaults are \(usual)"
    )
  }
}
