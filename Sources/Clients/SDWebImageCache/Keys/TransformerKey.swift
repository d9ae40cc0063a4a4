import Foundation
import Text

/// What transformers and thumbnail sizes put into a key. Numbers are C's `%f`. Facts: `SDImageTransformer.m` and
/// `SDWebImageManager.m`, 5.0.0 to 5.21.5.
package enum TransformerKey {
  package static let thumbnail = KeyRow(
    "thumbnail",
    "Thumbnail({\("size", .list(2, ",", .fixed6))},\("preserveAspectRatio", .bit))"
  ) { values, context in
    context.release < Release(5, 5, 0)
      ? "SDWebImage \(context.release) has no thumbnail size for a request; it came with 5.5.0"
      : notFinite(values)
  }
  package static let resize = KeyRow(
    "resize",
    "SDImageResizingTransformer({\("size", .list(2, ",", .fixed6))},\("scaleMode", .index(of: scaleModes)))"
  ) { values, _ in notFinite(values) }
  package static let crop = KeyRow(
    "crop", "SDImageCroppingTransformer({\("rect", .list(4, ",", .fixed6))})"
  ) { values, _ in notFinite(values) }
  package static let roundCorner = KeyRow(
    "roundCorner",
    """
    SDImageRoundCornerTransformer(\("radius", .fixed6),\("corners", .corners),\("borderWidth", .fixed6),\
    \("borderColor", .hexadecimal.orElse("(null)")))
    """
  ) { values, _ in outOfRange(values) ?? notFinite(values) }
  package static let flip = KeyRow(
    "flip", "SDImageFlippingTransformer(\("horizontal", .bit),\("vertical", .bit))")
  package static let rotate = KeyRow(
    "rotate", "SDImageRotationTransformer(\("angle", .fixed6),\("fitSize", .bit))"
  ) { values, _ in notFinite(values) }
  /// The mode stands there since 5.20.0; the usual one is that of a tint without.
  package static let tint = KeyRow(
    "tint",
    """
    SDImageTintTransformer(\("color", .hexadecimal),\("blendMode", .index(of: blendModes, usual: "sourceIn")))
    """, since: Release(5, 20, 0),
    before: [(Release(0, 0, 0), "SDImageTintTransformer(\("color", .hexadecimal))")]
  ) { values, context in
    if let reason = outOfRange(values) { return reason }
    guard values.has("blendMode"), context.release < Release(5, 20, 0) else { return nil }
    return
      "SDWebImage \(context.release) has no blend mode for a tint; it came with 5.20.0, so leave blendMode out"
  }
  package static let blur = KeyRow("blur", "SDImageBlurTransformer(\("radius", .fixed6))") { values, _ in
    notFinite(values)
  }
  /// A Core Image filter by its name.
  package static let filter = KeyRow("filter", "SDImageFilterTransformer(\("name", .text(upTo: ")")))")

  package static let transformers = [resize, crop, roundCorner, flip, rotate, tint, blur, filter]
  package static let all = [thumbnail] + transformers

  package static let scaleModes = SDImageTransformer.ScaleMode.allCases.map { "\($0)" }
  package static let blendModes = SDImageTransformer.BlendMode.allCases.map { "\($0)" }

  private static func outOfRange(_ values: ProcessorValues) -> String? {
    values.allColors.allSatisfy { $0.components.allSatisfy { (0...1).contains($0) } }
      ? nil : "a colour component lies outside 0 to 1, and the key holds bytes; use a colour of sRGB"
  }

  private static func notFinite(_ values: ProcessorValues) -> String? {
    values.allNumbers.allSatisfy(\.isFinite) ? nil : "a number is infinite or none at all"
  }

  /// Why this version has no key for a transformer or a thumbnail size, in a sentence for people; nil where it has.
  package static func unsupportedReason(_ call: ProcessorCall, _ context: KeyContext) -> String? {
    call.identifier == ""
      ? "an empty transformerKey leaves only a hyphen in the key; give the transformer's own"
      : all.unsupportedReason(call, context)
  }
}

extension KeyFormat {
  /// C's `%f`.
  fileprivate static let fixed6 = numbers { String(format: "%f", $0) }

  /// `#aarrggbb`, each component rounded to the nearest byte (`sd_hexString`).
  fileprivate static let hexadecimal = KeyFormat { value, _ in
    guard case .color(let color) = value else { return "" }
    let parts = color.components
    return "#" + (parts.suffix(1) + parts.prefix(3)).map { hexadecimal($0) }.joined()
  } read: { scanner, _ in
    guard scanner.take("#") else { return [] }
    let digits = scanner.hexadecimals()
    guard digits.count == 8, let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) else {
      return []
    }
    return [.color(ColorValue([16, 8, 0, 24].map { Double(value >> UInt32($0) & 0xff) / 255 }))]
  }

  /// As a `float` is rounded.
  private static func hexadecimal(_ component: Double) -> String {
    let value = Float(component * 255).rounded(.toNearestOrAwayFromZero)
    let byte = value.isFinite ? Int(min(max(value, 0), 255)) : 0
    return (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}
