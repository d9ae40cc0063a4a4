import Text

@testable import SDWebImageCache

/// Reads the columns of `sdwebimage-keys.tsv` into requests.
struct KeySpecification {
  let version: SDWebImageVersion
  let original: String
  let thumbnail: SDImageThumbnail?
  let transformers: [SDImageTransformer]

  struct Malformed: Error {
    var text: String
  }

  init(row: [String: String]) throws {
    func column(_ name: String) throws -> String {
      guard let text = row[name] else { throw Malformed(text: name) }
      return text
    }
    version = try SDWebImageVersion(parsing: try column("sd_version"))
    let base = try column("base_key")
    original = base == "-" ? try column("url") : base
    let thumbnail = try column("thumbnail")
    self.thumbnail = thumbnail == "-" ? nil : try Self.thumbnail(thumbnail)
    let spec = try column("transformer")
    transformers = spec == "-" ? [] : try spec.split(separator: "|").map { try Self.transformer(String($0)) }
  }

  private static func numbers(_ text: String, _ separator: Character) throws -> [Double] {
    try text.split(separator: separator).map {
      guard let number = Double($0) else { throw Malformed(text: text) }
      return number
    }
  }

  private static func thumbnail(_ text: String) throws -> SDImageThumbnail {
    let parts = text.split(separator: ",").map(String.init)
    let size = try numbers(parts[0], "x")
    return SDImageThumbnail(width: size[0], height: size[1], preservesAspectRatio: parts[1] == "1")
  }

  private static func transformer(_ spec: String) throws -> SDImageTransformer {
    let name = spec.prefix { $0 != "(" }
    let inside = spec.dropFirst(name.count + 1).dropLast()
    if name == "custom" { return .custom(key: String(inside.dropFirst("key=".count))) }
    var fields: [String: String] = [:]
    for field in inside.split(separator: ";") {
      let parts = field.split(separator: "=", maxSplits: 1).map(String.init)
      fields[parts[0]] = parts[1]
    }
    func number(_ name: String) throws -> Double { try numbers(fields[name] ?? "0", "/")[0] }
    func color(_ name: String) throws -> SDImageTransformer.Color? {
      guard let text = fields[name] else { return nil }
      let parts = try numbers(text, "/")
      return .init(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3])
    }
    switch name {
    case "resize":
      let size = try numbers(fields["size"] ?? "", "x")
      let modes: [String: SDImageTransformer.ScaleMode] = [
        "fit": .aspectFit, "aspectFill": .aspectFill, "fill": .fill,
      ]
      return .resizing(
        size: .init(width: size[0], height: size[1]), scaleMode: fields["mode"].flatMap { modes[$0] } ?? .fill
      )
    case "crop":
      let rect = try numbers(fields["rect"] ?? "", ",")
      return .cropping(rect: .init(x: rect[0], y: rect[1], width: rect[2], height: rect[3]))
    case "round":
      let mask = fields["corners"].flatMap { UInt($0) }
      return .roundCorner(
        radius: try number("r"), corners: mask.map { .init(rawValue: $0) } ?? .allCorners,
        borderWidth: try number("bw"), borderColor: try color("bc"))
    case "flip": return .flipping(horizontal: fields["h"] == "1", vertical: fields["v"] == "1")
    case "rotate": return .rotation(angle: try number("angle"), fitSize: fields["fit"] == "1")
    case "blur": return .blur(radius: try number("r"))
    case "filter": return .filter(name: fields["name"] ?? "")
    case "tint", "tint0":
      guard let tint = try color("c") else { throw Malformed(text: spec) }
      let mode = fields["mode"].flatMap { Int($0) }.flatMap { SDImageTransformer.BlendMode(rawValue: $0) }
      return .tint(color: tint, blendMode: mode)
    default: throw Malformed(text: spec)
    }
  }
}

extension SDImageTransformer {
  /// Why this version has no key for it; nil where it has.
  func unsupportedReason(_ version: SDWebImageVersion) -> String? {
    TransformerKey.unsupportedReason(call, KeyContext(release: Release(version)))
  }
}

extension SDImageThumbnail {
  func unsupportedReason(_ version: SDWebImageVersion) -> String? {
    TransformerKey.unsupportedReason(call, KeyContext(release: Release(version)))
  }
}
