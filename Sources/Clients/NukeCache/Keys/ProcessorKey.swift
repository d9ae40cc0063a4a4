import Text

/// What processors and thumbnails put into a key: Nuke 10.0.0 to 13.2.0, found by running Nuke's own code at its tags.
package enum ProcessorKey {
  package static let resizeToWidth = KeyRow(
    "resize", form: "width",
    """
    com.github.kean/nuke/resize?s=(\(.side("width")), \(.openSide)),cm=.aspectFit,crop=false,\
    upscale=\("upscale", .flag)
    """)
  package static let resizeToHeight = KeyRow(
    "resize", form: "height",
    """
    com.github.kean/nuke/resize?s=(\(.openSide), \(.side("height"))),cm=.aspectFit,crop=false,\
    upscale=\("upscale", .flag)
    """)
  package static let resizeToSize = KeyRow(
    "resize", form: "size",
    """
    com.github.kean/nuke/resize?s=(\(.sides("size", joint: ", "))),cm=.\("contentMode", contentMode),\
    crop=\("crop", .flag),upscale=\("upscale", .flag)
    """)
  package static let circle = KeyRow(
    "circle",
    """
    com.github.kean/nuke/circle\
    \(group: "border", "?border=Border(color: \("color", .borderColor), width: \(.length("width")) pixels)")
    """, unsupported: colorReason)
  package static let roundedCorners = KeyRow(
    "roundedCorners",
    """
    com.github.kean/nuke/rounded_corners?radius=\(.length("radius"))\
    \(group: "border", ",border=Border(color: \("color", .borderColor), width: \(.length("width")) pixels)")
    """, unsupported: colorReason)
  package static let gaussianBlur = KeyRow(
    "gaussianBlur", "com.github.kean/nuke/gaussian_blur?radius=\("radius", .blurRadius)")
  /// A filter with parameters has the identifier of the app's own in place of all.
  static let filterOfTheApp = KeyRow("coreImage", form: "identifier", "\(.own("identifier"))")
  /// The lone parenthesis stands in Nuke's key too, in every version.
  package static let coreImage = KeyRow(
    "coreImage", "com.github.kean/nuke/core_image?name=\("name", .text(upTo: ")")))")
  package static let thumbnailOfSide = KeyRow(
    "thumbnail", form: "maxPixelSize",
    """
    com.github/kean/nuke/thumbnail?maxPixelSize=\("maxPixelSize", .thumbnailSide),options=\
    \(switches[0], .flag)\(switches[1], .flag)\(switches[2], .flag)\(switches[3], .flag)
    """, since: Release(12, 0, 0),
    before: [
      (
        Release(0, 0, 0),
        """
        com.github/kean/nuke/thumbnail?mxs=\("maxPixelSize", .thumbnailSide),options=\
        \(switches[0], .flag)\(switches[1], .flag)\(switches[2], .flag)\(switches[3], .flag)
        """
      )
    ]
  ) { _, context in noThumbnails(context) }
  package static let thumbnailOfSize = KeyRow(
    "thumbnail", form: "size",
    """
    com.github/kean/nuke/thumbnail?width=\(.sides("size", joint: ",height=")),\
    contentMode=.\("contentMode", contentMode),options=\
    \(switches[0], .flag)\(switches[1], .flag)\(switches[2], .flag)\(switches[3], .flag)
    """
  ) { _, context in
    if let reason = noThumbnails(context) { return reason }
    return context.release >= Release(12, 0, 0)
      ? nil
      : "Nuke \(context.release) has no thumbnails of a size (they came with 12.0.0); use thumbnail(maxPixelSize:)"
  }

  package static let processors: [KeyRow] = [
    resizeToWidth, resizeToHeight, resizeToSize, circle, roundedCorners, gaussianBlur, filterOfTheApp,
    coreImage,
  ]
  package static let thumbnails = [thumbnailOfSide, thumbnailOfSize]
  package static let all: [KeyRow] = thumbnails + processors

  package static let switches = [
    "createThumbnailFromImageIfAbsent", "createThumbnailFromImageAlways", "createThumbnailWithTransform",
    "shouldCacheImmediately",
  ]
  package static let units = ImageProcessor.Unit.allCases.map(\.rawValue)
  package static let contentModes = ImageProcessor.ContentMode.allCases.map(\.rawValue)
  private static let contentMode = KeyFormat.word(of: contentModes)

  private static func noThumbnails(_ context: KeyContext) -> String? {
    context.release >= Release(10, 4, 0)
      ? nil : "Nuke \(context.release) has no thumbnail requests; they came with 10.4.0"
  }

  /// Where Nuke itself would trap, there is no key.
  private static let colorReason: @Sendable (ProcessorValues, KeyContext) -> String? = { values, context in
    let components = values.allColors.flatMap(\.components)
    if components.contains(where: \.isNaN) { return "a colour component is not a number" }
    if !context.limitsColors, components.contains(where: { KeyFormat.byte(Float($0)) == nil }) {
      return
        "a colour component is out of range for Nuke \(context.release), which does not limit it to 0...1"
    }
    return nil
  }
}

extension KeyContext {
  init(_ format: CacheKeyFormat) { self.init(release: Release(format.version), scale: format.screenScale) }

  package var format: CacheKeyFormat {
    CacheKeyFormat(version: NukeVersion(release.major, release.minor, release.patch), screenScale: scale)
  }

  /// Colour components are limited to 0...1.
  fileprivate var limitsColors: Bool { release >= Release(13, 2, 0) }

  /// Points are what apps write, where the scale is known; pixels come out in any case.
  fileprivate var units: [ImageProcessor.Unit] { knownScale == nil ? [.pixels] : [.points, .pixels] }

  /// A side in pixels as this version holds it.
  package func side(_ value: Double, _ unit: ImageProcessor.Unit) -> Double {
    format.pixelSize(width: value, height: 0, unit: unit).width
  }

  /// The value as written for this number of pixels; nil where none would be written: points with more than three
  /// decimals.
  fileprivate func written(
    _ pixels: Double, _ unit: ImageProcessor.Unit, _ pixelsOf: (Double, ImageProcessor.Unit) -> Double
  ) -> Double? {
    guard unit == .points else {
      // The shortest number that is held as this one.
      if let short = Double("\(Float(pixels))"), pixelsOf(short, .pixels) == pixels { return short }
      return pixels
    }
    let points = pixels / scale
    guard points.isFinite, abs(points) < 1e9 else { return nil }
    return [1.0, 10, 100, 1000].lazy.map { (points * $0).rounded() / $0 }
      .first { pixelsOf($0, .points) == pixels }
  }
}

extension ProcessorValues {
  fileprivate var unit: ImageProcessor.Unit { ImageProcessor.Unit(rawValue: word("unit")) ?? .points }

  /// The units that a reading of a key has left open.
  fileprivate func units(_ context: KeyContext) -> [ImageProcessor.Unit] {
    has("unit") ? [unit] : context.units
  }
}

/// Sizes stand in a key in pixels, whatever their unit.
extension KeyField {
  private typealias Pixels = @Sendable (KeyContext) -> (Double, ImageProcessor.Unit) -> Double

  /// A side of a target.
  fileprivate static func side(_ label: String) -> KeyField { numbers(label) { $0.side } }

  /// A radius or a border's width.
  fileprivate static func length(_ label: String) -> KeyField { numbers(label) { $0.format.pixels } }

  /// Width and height.
  fileprivate static func sides(_ label: String, joint: String) -> KeyField {
    numbers(label, joint: joint) { $0.side }
  }

  /// - Parameter joint: what stands between two numbers; nil for one alone.
  private static func numbers(_ label: String, joint: String? = nil, _ pixels: @escaping Pixels) -> KeyField {
    KeyField { values, context in
      let numbers = joint == nil ? [values.number(label)] : values.numbers(label)
      return numbers.map { pixels(context)($0, values.unit).description }
        .joined(separator: joint ?? "")
    } read: { candidate, context in
      var next = candidate
      guard let first = next.scanner.number() else { return [] }
      var numbers = [first]
      if let joint {
        guard next.scanner.take(joint), let second = next.scanner.number() else { return [] }
        numbers.append(second)
      }
      return candidate.values.units(context).compactMap { unit in
        let written = numbers.compactMap { context.written($0, unit, pixels(context)) }
        guard written.count == numbers.count else { return nil }
        next.values[label] = joint == nil ? .number(written[0]) : .numbers(written)
        next.values["unit"] = .word(unit.rawValue)
        return next
      }
    }
  }

  /// The side that an initialiser leaves open: 9999 units.
  fileprivate static let openSide = KeyField { values, context in
    context.side(9999, values.unit).description
  } read: { candidate, context in
    var next = candidate
    guard let number = next.scanner.number() else { return [] }
    return candidate.values.units(context).filter { context.side(9999, $0) == number }.map { unit in
      next.values["unit"] = .word(unit.rawValue)
      return next
    }
  }

  /// Text of the app's own, which looks like any other text.
  fileprivate static func own(_ label: String) -> KeyField {
    KeyField(write: { values, _ in values.text(label) }, read: { _, _ in [] })
  }
}

extension KeyFormat {
  /// The number of a thumbnail request, held as a Float since 11.0.0.
  fileprivate static let thumbnailSide = KeyFormat { value, context in
    guard case .number(let side) = value else { return "" }
    return context.release >= Release(11, 0, 0) ? Float(side).description : side.description
  } read: { scanner, _ in
    scanner.number().map { [.number($0)] } ?? []
  }

  /// Not below 0 since 13.2.0.
  fileprivate static let blurRadius = KeyFormat { value, context in
    guard case .whole(let radius) = value else { return "" }
    return String(context.release >= Release(13, 2, 0) ? max(0, radius) : radius)
  } read: { scanner, _ in
    scanner.whole().map { [.whole($0)] } ?? []
  }

  /// `#RRGGBB`, with a fourth pair of digits only where it is not opaque.
  fileprivate static let borderColor = KeyFormat { value, context in
    guard case .color(let color) = value else { return "" }
    let parts = color.components
    let shown = parts.last.map { $0 < 1 } == true ? parts : parts.dropLast()
    return "#" + shown.map { digits(of: $0, context) }.joined()
  } read: { scanner, _ in
    scanner.take("#") ? colors(scanner.hexadecimals()).map { .color($0) } : []
  }

  /// Two upper-case hexadecimal digits; before 13.2.0 more, where the component lies outside 0...1: a negative one prints
  /// all 64 bits.
  private static func digits(of component: Double, _ context: KeyContext) -> String {
    let byte = byte(Float(context.limitsColors ? min(max(component, 0), 1) : component)) ?? 0
    let text = String(UInt64(bitPattern: Int64(byte)), radix: 16, uppercase: true)
    return text.count < 2 ? "0" + text : text
  }

  /// Rounded half away from zero in Float, as Nuke does it; nil where that is not a whole number.
  fileprivate static func byte(_ component: Float) -> Int? {
    Int(exactly: (component * 255).rounded(.toNearestOrAwayFromZero))
  }

  /// The colours that may stand as these digits: two for each component, before 13.2.0 more for one outside 0...1.
  private static func colors(_ digits: ArraySlice<UInt8>) -> [ColorValue] {
    splits(digits).compactMap { parts in
      let known = parts.compactMap { part in
        // A negative one prints all 64 bits.
        UInt64(String(decoding: part, as: UTF8.self), radix: 16).map { Double(Int64(bitPattern: $0)) / 255 }
      }
      guard known.count == parts.count else { return nil }
      // It prints its alpha only where it is not opaque, however nearly.
      let alpha = known.count == 4 ? (known[3] >= 1 ? 0.999 : known[3]) : 1
      return .rgba(red: known[0], green: known[1], blue: known[2], alpha: alpha)
    }
  }

  /// Three or four components: the usual two digits first.
  private static func splits(_ digits: ArraySlice<UInt8>) -> [[ArraySlice<UInt8>]] {
    guard (6...64).contains(digits.count) else { return [] }
    func all(_ rest: ArraySlice<UInt8>, _ count: Int) -> [[ArraySlice<UInt8>]] {
      if count == 0 { return rest.isEmpty ? [[]] : [] }
      return [2, 3, 16].filter { rest.count >= $0 }.flatMap { length in
        all(rest.dropFirst(length), count - 1).map { [rest.prefix(length)] + $0 }
      }
    }
    return all(digits, 3) + all(digits, 4)
  }
}
