import Foundation
import Text

/// What Kingfisher's processors put into a key (`ImageProcessor.identifier`). Facts: `ImageProcessor.swift`,
/// `ImageDrawing.swift` and `KFImage.swift`, 5.0.0 to 8.11.0.
package enum ProcessorKey {
  package static let plain = KeyRow("default", "")
  package static let resizing = KeyRow(
    "resizing",
    """
    com.onevcat.Kingfisher.ResizingImageProcessor((\("referenceSize", .pair))\
    \("mode", unless: .word("none"), ", \("mode", .word(of: contentModes))"))
    """)
  package static let downsampling = KeyRow(
    "downsampling", "com.onevcat.Kingfisher.DownsamplingImageProcessor((\("size", .pair)))")
  package static let roundCorner = KeyRow(
    "roundCorner", form: "cornerRadius",
    """
    com.onevcat.Kingfisher.RoundCornerImageProcessor(\("cornerRadius", .number)\(target)\(corners))\(background)
    """
  ) { values, _ in nanReason(values) }
  package static let roundCornerOfFraction = KeyRow(
    "roundCorner", form: "radius",
    """
    com.onevcat.Kingfisher.RoundCornerImageProcessor(\("radius", .printedFraction)\(target)\(corners))\
    \(background)
    """
  ) { values, context in
    context.release < Release(5, 14, 0)
      ? "Kingfisher \(context.release) has no corner radius as a fraction; it came with 5.14.0, so give it in points"
      : nanReason(values)
  }
  package static let blur = KeyRow(
    "blur", form: "blurRadius", "com.onevcat.Kingfisher.BlurImageProcessor(\("blurRadius", .number))")
  package static let overlay = KeyRow(
    "overlay",
    "com.onevcat.Kingfisher.OverlayImageProcessor(\("color", .components)_\("fraction", .number))",
    unsupported: rangeReason)
  package static let tint = KeyRow(
    "tint", "com.onevcat.Kingfisher.TintImageProcessor(\("color", .components))", unsupported: rangeReason)
  package static let colorControls = KeyRow(
    "colorControls",
    """
    com.onevcat.Kingfisher.ColorControlsProcessor(\("brightness", .number)_\("contrast", .number)_\
    \("saturation", .number)_\("inputEV", .number))
    """)
  package static let blackWhite = KeyRow("blackWhite", "com.onevcat.Kingfisher.BlackWhiteProcessor")
  package static let cropping = KeyRow(
    "cropping", "com.onevcat.Kingfisher.CroppingImageProcessor((\("size", .pair))_(\("anchor", .pair)))")
  package static let blend = KeyRow(
    "blend",
    """
    com.onevcat.Kingfisher.BlendImageProcessor(\("blendMode", .index(of: blendModes)),\("alpha", .number))\
    \(ifPresent: "backgroundColor", "_\("backgroundColor", .components)")
    """, unsupported: rangeReason)
  /// Swift's reflection of the border value stands in the key, and the parenthesis after the processor's name is never
  /// closed. Before 8.5.0 the name was that of another processor.
  package static let border = KeyRow(
    "border", "com.onevcat.Kingfisher.BorderImageProcessor\(borderValue)", since: Release(8, 5, 0),
    before: [(Release(0, 0, 0), "com.onevcat.Kingfisher.RoundCornerImageProcessor\(borderValue)")]
  ) { values, context in
    context.release < Release(7, 0, 0)
      ? "Kingfisher \(context.release) has no border processor; it came with 7.0.0" : nanReason(values)
  }

  /// Those that a text in a key is read as; the default processor has none.
  package static let named = [
    resizing, downsampling, roundCorner, roundCornerOfFraction, blur, overlay, tint, colorControls,
    blackWhite, cropping, blend, border,
  ]
  package static let all = [plain] + named
  /// Those that a builder's chain begins with. The modifiers of `KFImage` append to the default processor, but that for a
  /// downsampling takes its place.
  package static let starters = [plain.name, downsampling.name]

  package static let contentModes = BuiltInProcessor.ContentMode.allCases.map(\.rawValue)
  package static let blendModes = BuiltInProcessor.BlendMode.allCases.map { "\($0)" }
  package static let allCorners = UInt(bitPattern: BuiltInProcessor.RectCorner.all.rawValue)

  private static let target: KeyField = .part(
    "_(\("targetSize", .pair))", isThere: { $0.has("targetSize") })
  /// All four corners print nothing, no corner prints a zero.
  private static let corners: KeyField = .part(
    "_corner(\("roundingCorners", .bits))", otherwise: ["roundingCorners": .corners(allCorners)],
    isThere: { $0["roundingCorners"] != .corners(allCorners) })
  private static let background: KeyField = .part(
    "_\("backgroundColor", .description)", isThere: { $0.has("backgroundColor") })
  private static let borderValue: KeyField = .part(
    """
    (Border(color: \("color", .description), lineWidth: \("lineWidth", .number), \
    radius: Kingfisher.Radius.\("radius", .reflectedRadius), \
    roundingCorners: Kingfisher.RectCorner(rawValue: \("roundingCorners", .bits)))
    """, isThere: { _ in true })

  private static func nanReason(_ values: ProcessorValues) -> String? {
    values.allColors.contains { $0.components.contains(where: \.isNaN) }
      ? "a colour component is not a number" : nil
  }

  /// Where Kingfisher itself would trap, there is no key.
  @Sendable private static func rangeReason(_ values: ProcessorValues, _ context: KeyContext) -> String? {
    if let reason = nanReason(values) { return reason }
    let isInRange = values.allColors.allSatisfy { $0.components.allSatisfy { KeyFormat.byte($0) != nil } }
    return isInRange || context.release >= Release(7, 1, 0)
      ? nil : "a colour component is out of range for Kingfisher \(context.release)"
  }
}

extension KeyFormat {
  fileprivate static let pair = list(2, ", ", .number)

  /// Kingfisher's own bits.
  fileprivate static let bits = KeyFormat { value, _ in
    if case .corners(let bits) = value { String(Int(bitPattern: bits)) } else { "" }
  } read: { scanner, _ in
    scanner.whole().map { [.corners(UInt(bitPattern: $0))] } ?? []
  }

  fileprivate static let printedFraction = measure(
    [("widthFraction", "w_frac_"), ("heightFraction", "h_frac_")], end: "")
  fileprivate static let reflectedRadius = measure(
    [("widthFraction", "widthFraction("), ("heightFraction", "heightFraction("), ("point", "point(")],
    end: ")")

  private static func measure(_ words: [(word: String, text: String)], end: String) -> KeyFormat {
    KeyFormat { value, _ in
      guard case .measure(let word, let number) = value else { return "" }
      return (words.first { $0.word == word }?.text ?? "") + number.description + end
    } read: { scanner, _ in
      guard let word = words.first(where: { scanner.take($0.text) })?.word, let number = scanner.number(),
        scanner.take(end)
      else { return [] }
      return [.measure(word, number)]
    }
  }

  /// A colour as overlay, tint and blend print it: decimals since 7.1.0, digits before.
  fileprivate static let components = KeyFormat { value, context in
    guard case .color(let color) = value else { return "" }
    if context.release >= Release(7, 1, 0) {
      return "(" + color.components.map { String(format: "%.2f", $0) }.joined(separator: ",") + ")"
    }
    // Kingfisher shifts the truncated components into one 64-bit number and prints its lower half, so one that lies
    // outside 0...1 spills into its neighbours.
    let bytes = color.components.map { byte($0) ?? 0 }
    let bits = zip(bytes, [24, 16, 8, 0]).reduce(0) { $0 | $1.0 << $1.1 }
    return String(format: "#%08x", UInt32(truncatingIfNeeded: bits))
  } read: { scanner, context in
    if scanner.take("#") {
      let digits = scanner.hexadecimals()
      guard digits.count == 8, let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) else {
        return []
      }
      // Kingfisher truncates, so a value in the middle of a step comes out in any case.
      let bytes = [24, 16, 8, 0].map { Double(value >> UInt32($0) & 0xFF) }
      return [bytes.map { $0 / 255 }, bytes.map { min(1, ($0 + 0.5) / 255) }].map { .color(ColorValue($0)) }
    }
    guard scanner.take("("),
      case .numbers(let numbers)?? = list(4, ",", .number).read(&scanner, context).first,
      scanner.take(")")
    else { return [] }
    return [.color(ColorValue(numbers))]
  }

  /// Truncated, not rounded; nil where that is not a whole number.
  fileprivate static func byte(_ component: Double) -> Int? {
    Int(exactly: (component * 255).rounded(.towardZero))
  }

  /// What UIKit (iOS 10 and later) prints for the colour object itself: the background of round corners and the colour of
  /// a border. Known from published logs, and no promise of Apple's.
  fileprivate static let description = KeyFormat { value, _ in
    let (space, components) =
      switch value {
      case .color(.gray(let white, let alpha)): ("UIExtendedGrayColorSpace", [white, alpha])
      case .color(let color): ("UIExtendedSRGBColorSpace", color.components)
      default: ("", [])
      }
    return space + components.map { String(format: " %g", $0) }.joined()
  } read: { scanner, context in
    func numbers(_ count: Int) -> [Double]? {
      guard scanner.take(" "),
        case .numbers(let found)?? = list(count, " ", .number).read(&scanner, context).first
      else { return nil }
      return found
    }
    if scanner.take("UIExtendedSRGBColorSpace") { return numbers(4).map { [.color(ColorValue($0))] } ?? [] }
    guard scanner.take("UIExtendedGrayColorSpace"), let found = numbers(2) else { return [] }
    return [.color(.gray(white: found[0], alpha: found[1]))]
  }
}
