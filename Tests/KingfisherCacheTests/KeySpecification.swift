import Foundation

@testable import KingfisherCache

/// Reads the columns of `kingfisher-keys.tsv` into formats and chains.
struct KeySpecification {
  var format: KingfisherKeyFormat
  var baseKey: String
  var processors: [BuiltInProcessor]

  struct Malformed: Error, CustomStringConvertible {
    var description: String
  }

  init(row: [String: String]) throws {
    func column(_ name: String) throws -> String? {
      guard let text = row[name] else { throw Malformed(description: "no column \(name)") }
      return text == "-" ? nil : text
    }
    format = KingfisherKeyFormat(
      version: try KingfisherVersion(parsing: try column("kf_version") ?? ""),
      naming: FileNaming(
        pathExtension: try column("path_extension"), autoExtension: try column("auto_ext") == "1",
        forcedExtension: try column("forced_ext")))
    baseKey = try column("cache_key_override") ?? format.baseKey(url: try column("url") ?? "")
    processors = try column("processors_spec").map(Self.processors) ?? []
  }

  /// `|>A` is the default processor with A appended.
  static func processors(_ text: String) throws -> [BuiltInProcessor] {
    try text.split(separator: "|>", omittingEmptySubsequences: false).map {
      $0.isEmpty ? DefaultImageProcessor.default : try processor(String($0))
    }
  }

  private static func processor(_ text: String) throws -> BuiltInProcessor {
    let name = String(text.prefix { $0 != "(" })
    let inner = String(text.dropFirst(name.count + 1).dropLast())
    if name == "custom" { return BuiltInProcessor(.custom(inner)) }
    let fields = try fields(inner)
    func number(_ name: String, _ standard: Double? = nil) throws -> Double {
      guard let value = fields[name].map(Double.init) ?? standard else {
        throw Malformed(description: "\(name) of \(text)")
      }
      return value
    }
    switch name {
    case "default": return DefaultImageProcessor.default
    case "resize":
      guard let mode = BuiltInProcessor.ContentMode(rawValue: fields["mode"] ?? "none") else { break }
      return ResizingImageProcessor(referenceSize: try size(fields["size"]), mode: mode)
    case "downsample": return DownsamplingImageProcessor(size: try size(fields["size"]))
    case "round":
      return RoundCornerImageProcessor(
        radius: try radius(fields["r"]), targetSize: try fields["size"].map(size),
        roundingCorners: try corners(fields["corners"]), backgroundColor: try fields["bg"].map(color))
    case "blur": return BlurImageProcessor(blurRadius: try number("r"))
    case "overlay":
      return OverlayImageProcessor(overlay: try color(fields["c"]), fraction: try number("f", 0.5))
    case "tint": return TintImageProcessor(tint: try color(fields["c"]))
    case "colorcontrols":
      return ColorControlsProcessor(
        brightness: try number("b"), contrast: try number("c"), saturation: try number("s"),
        inputEV: try number("ev"))
    case "blackwhite": return BlackWhiteProcessor()
    case "crop":
      let anchor = try numbers(fields["anchor"] ?? "0.5,0.5", ",", 2)
      return CroppingImageProcessor(size: try size(fields["size"]), anchor: .init(x: anchor[0], y: anchor[1]))
    case "blend":
      guard let mode = BuiltInProcessor.BlendMode(rawValue: Int(try number("mode"))) else { break }
      return BlendImageProcessor(
        blendMode: mode, alpha: try number("a", 1), backgroundColor: try fields["bg"].map(color))
    case "border":
      return BorderImageProcessor(
        border: Border(
          color: try fields["c"].map(color) ?? .gray(white: 0, alpha: 1), lineWidth: try number("w", 4),
          radius: try radius(fields["r"] ?? "pt:0"), roundingCorners: try corners(fields["corners"])))
    case "livephoto": return BuiltInProcessor(.custom("com.onevcat.Kingfisher.LivePhotoImageProcessor"))
    default: break
    }
    throw Malformed(description: text)
  }

  private static func fields(_ text: String) throws -> [String: String] {
    try text.split(separator: ";").reduce(into: [:]) { fields, field in
      let parts = field.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { throw Malformed(description: text) }
      fields[parts[0]] = parts[1]
    }
  }

  private static func numbers(_ text: String, _ separator: Character, _ count: Int) throws -> [Double] {
    let numbers = text.split(separator: separator).compactMap { Double($0) }
    guard numbers.count == count else { throw Malformed(description: text) }
    return numbers
  }

  private static func size(_ text: String?) throws -> CGSize {
    let sides = try numbers(text ?? "", "x", 2)
    return CGSize(width: sides[0], height: sides[1])
  }

  private static func radius(_ text: String?) throws -> BuiltInProcessor.Radius {
    let parts = (text ?? "").split(separator: ":")
    guard parts.count == 2, let value = Double(parts[1]) else { throw Malformed(description: "radius") }
    switch parts[0] {
    case "pt": return .point(value)
    case "w": return .widthFraction(value)
    case "h": return .heightFraction(value)
    default: throw Malformed(description: "radius \(parts[0])")
    }
  }

  private static func corners(_ text: String?) throws -> BuiltInProcessor.RectCorner {
    let names: [Substring: BuiltInProcessor.RectCorner] = [
      "all": .all, "none": [], "tl": .topLeft, "tr": .topRight, "bl": .bottomLeft, "br": .bottomRight,
    ]
    return try (text ?? "all").split(separator: "+").reduce(into: []) { corners, name in
      guard let corner = names[name] else { throw Malformed(description: "corner \(name)") }
      corners.formUnion(corner)
    }
  }

  private static func color(_ text: String?) throws -> BuiltInProcessor.Color {
    let text = text ?? ""
    if text.hasPrefix("gray:") {
      let parts = try numbers(String(text.dropFirst(5)), "/", 2)
      return .gray(white: parts[0], alpha: parts[1])
    }
    guard text.hasPrefix("rgb:") else { throw Malformed(description: "color \(text)") }
    let parts = try numbers(String(text.dropFirst(4)), "/", 4)
    return .rgba(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3])
  }
}
