import Foundation
import Text

@testable import NukeCache

/// Reads the columns of `nuke-keys.tsv` into requests.
struct KeySpecification {
  var format: CacheKeyFormat
  var imageID: String
  var thumbnail: ThumbnailOptions?
  var processors: [ImageProcessor]

  struct Malformed: Error, CustomStringConvertible {
    var description: String
  }

  init(row: [String: String]) throws {
    func column(_ name: String) throws -> String {
      guard let text = row[name] else { throw Malformed(description: "no column \(name)") }
      return text == "(empty)" ? "" : text
    }
    format = CacheKeyFormat(
      version: try Self.version(try column("nuke_version")),
      screenScale: try number(try column("screen_scale")))
    let override = try column("image_id")
    imageID = override == "-" ? try Self.imageID(try column("url")) : override
    let thumbnailText = try column("thumbnail_spec")
    thumbnail = thumbnailText == "-" ? nil : try Self.thumbnail(thumbnailText)
    let chain = try column("processors_spec")
    processors = chain == "-" ? [] : try Self.processors(chain)
  }

  /// The snapshot of the branch after 13.2.0 writes 13.2.0's keys.
  static func version(_ text: String) throws -> NukeVersion {
    text.hasPrefix("main@") ? NukeVersion(13, 2, 0) : try NukeVersion(parsing: text)
  }

  private static func imageID(_ text: String) throws -> String {
    let prefixes: [(String, (String) throws -> String)] = [
      ("data-id:", { try percentDecoded($0) }),
      ("filepath:", { try fileURLText(try percentDecoded($0)) }),
      ("rel:", { try resolvedText($0) }),
      ("urlrequest:", { URLText($0)?.text ?? "" }),
    ]
    for (prefix, read) in prefixes where text.hasPrefix(prefix) {
      return try read(String(text.dropFirst(prefix.count)))
    }
    return URLText(text)?.text ?? ""
  }

  private static func thumbnail(_ text: String) throws -> ThumbnailOptions {
    let fields = try fields(text)
    var options: ThumbnailOptions
    if let side = fields["max"] {
      options = ThumbnailOptions(maxPixelSize: try number(side))
    } else {
      let (width, height) = try size(fields["size"])
      options = ThumbnailOptions(
        size: CGSize(width: width, height: height), unit: try unit(fields["unit"]),
        contentMode: try mode(fields["mode"]))
    }
    options.createThumbnailFromImageIfAbsent = fields["absent"] != "0"
    options.createThumbnailFromImageAlways = fields["always"] != "0"
    options.createThumbnailWithTransform = fields["transform"] != "0"
    options.shouldCacheImmediately = fields["immediate"] != "0"
    return options
  }

  private static func processors(_ text: String) throws -> [ImageProcessor] {
    try split(text, at: "|").map(processor)
  }

  private static func processor(_ text: String) throws -> ImageProcessor {
    let name = String(text.prefix { $0 != "(" && $0 != "[" })
    let inner = String(text.dropFirst(name.count + 1).dropLast())
    switch name {
    case "comp": return .composition(try processors(inner))
    case "anon": return .custom(identifier: try percentDecoded(inner))
    case "blur": return inner.isEmpty ? .gaussianBlur() : .gaussianBlur(radius: Int(try number(inner)))
    case "ci":
      let parts = split(inner, at: ",")
      let identifier = parts.count > 1 ? try percentDecoded(String(parts[1].dropFirst(3))) : nil
      return .coreImageFilter(name: parts[0], identifier: identifier)
    case "circle": return .circle(border: try border(try fields(inner)["border"]))
    case "rounded":
      let fields = try fields(inner)
      return .roundedCorners(
        radius: try number(fields["r"] ?? ""), unit: try unit(fields["unit"]),
        border: try border(fields["border"]))
    case "resize": return try resize(try fields(inner))
    default: throw Malformed(description: "processor \(text)")
    }
  }

  private static func resize(_ fields: [String: String]) throws -> ImageProcessor {
    let unit = try unit(fields["unit"])
    let upscale = fields["upscale"] == "1"
    if let width = fields["w"] { return .resize(width: try number(width), unit: unit, upscale: upscale) }
    if let height = fields["h"] { return .resize(height: try number(height), unit: unit, upscale: upscale) }
    let (width, height) = try size(fields["size"])
    return .resize(
      width: width, height: height, unit: unit, contentMode: try mode(fields["mode"]),
      crop: fields["crop"] == "1", upscale: upscale)
  }

  private static func border(_ text: String?) throws -> ImageProcessor.Border? {
    guard let text else { return nil }
    let parts = split(text, at: ":")
    let components = split(parts[0], at: "/")
    let color: ImageProcessor.Color
    if components[0] == "pattern" {
      color = .described(components.dropFirst().joined(separator: "/"))
    } else {
      let values = try components.map(number)
      guard values.count == 4 else { throw Malformed(description: "border \(text)") }
      color = .rgba(red: values[0], green: values[1], blue: values[2], alpha: values[3])
    }
    return ImageProcessor.Border(
      color: color, width: parts.count > 1 ? try number(parts[1]) : 1,
      unit: try unit(parts.count > 2 ? parts[2] : nil))
  }

  private static func unit(_ text: String?) throws -> ImageProcessor.Unit {
    switch text {
    case nil, "pt": .points
    case "px": .pixels
    case let text?: throw Malformed(description: "unit \(text)")
    }
  }

  private static func mode(_ text: String?) throws -> ImageProcessor.ContentMode {
    switch text {
    case nil, "fill": .aspectFill
    case "fit": .aspectFit
    case let text?: throw Malformed(description: "mode \(text)")
    }
  }
}
