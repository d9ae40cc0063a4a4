import Foundation
import KingfisherCache

/// Kingfisher's own rules from a request in Swift to its key, written down from its facts apart from the product's.
struct ClientRules {
  let version: KingfisherVersion

  /// The request did not compile against this version.
  struct NotThere: Error {
    var name: String
    init(_ name: String) { self.name = name }
  }

  private func since(_ major: Int, _ minor: Int, _ patch: Int, _ name: String) throws {
    if version < KingfisherVersion(major, minor, patch) { throw NotThere(name) }
  }

  private func until(_ major: Int, _ minor: Int, _ patch: Int, _ name: String) throws {
    if version >= KingfisherVersion(major, minor, patch) { throw NotThere(name) }
  }

  // MARK: Requests

  struct Request: Equatable {
    var baseKey = ""
    var identifier = ""
    var scaleFactor = 1.0
    var forcedExtension: String?

    var key: String { identifier.isEmpty ? baseKey : "\(baseKey)@\(identifier)" }
  }

  /// `kf.setImage(with: source, options: options)`
  func request(with source: PrintedSwift, options: PrintedSwift, url: String, id: String?) throws -> Request {
    guard case .list(let items) = options else { throw NotThere("options") }
    var request = Request(baseKey: try baseKey(source, url: url, id: id))
    for item in items {
      guard case .call(.member(nil, let name), let values) = item, values.count == 1 else {
        throw NotThere("\(item)")
      }
      switch name {
      case "processor": request.identifier = try identifier(values[0].value)
      case "scaleFactor": request.scaleFactor = try number(values[0].value)
      case "forcedCacheFileExtension":
        try since(8, 1, 0, name)
        request.forcedExtension = try text(values[0].value)
      default: throw NotThere(name)
      }
    }
    return request
  }

  /// `KFImage.url(...)` and modifiers.
  func request(builder: PrintedSwift, url: String, id: String?) throws -> Request {
    try since(6, 0, 0, "KFImage's modifiers")
    let resource = ".network(ImageResource(downloadURL: $0, cacheKey: id))"
    if builder == (try PrintedSwift("KFImage(source: URL(string: url).map { \(resource) })")) {
      try until(7, 0, 0, "ImageResource of files")
      return Request(baseKey: id ?? url)
    }
    guard case .call(.member(let base?, let name), let values) = builder, let first = values.first else {
      throw NotThere("\(builder)")
    }
    if base == .name("KFImage"), name == "url" {
      let hasKey = values.count > 1 && version >= KingfisherVersion(6, 1, 1)
      return Request(baseKey: (hasKey ? id : nil) ?? urlKey(url))
    }
    var request = try self.request(builder: base, url: url, id: id)
    switch name {
    case "downsampling":
      let own = try identifier(.call(.name("DownsamplingImageProcessor"), values))
      request.identifier = request.identifier.isEmpty ? own : "\(request.identifier)|>\(own)"
    case "appendProcessor": request.identifier += "|>" + (try identifier(first.value))
    case "scaleFactor": request.scaleFactor = try number(first.value)
    default: throw NotThere(name)
    }
    return request
  }

  // MARK: Base keys

  private func baseKey(_ source: PrintedSwift, url: String, id: String?) throws -> String {
    let plain = try PrintedSwift("URL(string: url)")
    if source == plain { return urlKey(url) }
    if source == (try PrintedSwift("URL(string: url)?.convertToSource(overrideCacheKey: id)")) {
      try since(6, 1, 1, "overrideCacheKey")
      return id ?? urlKey(url)
    }
    let isNested = version >= KingfisherVersion(7, 8, 0)
    let resource = "\(isNested ? "KF." : "")ImageResource(downloadURL: $0, cacheKey: id)"
    guard source == (try PrintedSwift("URL(string: url).map { \(resource) }")) else {
      throw NotThere("\(source)")
    }
    guard url.hasPrefix("file:"), version >= KingfisherVersion(7, 1, 0) else { return id ?? url }
    return version <= KingfisherVersion(7, 1, 2) ? localKey(url) : id ?? localKey(url)
  }

  private func urlKey(_ url: String) -> String {
    let hasLocalKeys = version >= KingfisherVersion(7, 1, 0) && version != KingfisherVersion(7, 2, 0)
    return url.hasPrefix("file:") && hasLocalKeys ? localKey(url) : url
  }

  private func localKey(_ url: String) -> String {
    let path = url.dropFirst("file:///".count).split(separator: "/")
    // Without an app the root counts as a component of the path.
    guard let start = path.lastIndex(where: { $0.hasSuffix(".app") }) else {
      return "kingfisher.local.cacheKey///" + path.joined(separator: "/")
    }
    return "kingfisher.local.cacheKey/" + path[start...].joined(separator: "/")
  }

  // MARK: Identifiers

  /// Of one processor or several.
  func identifier(_ code: PrintedSwift) throws -> String {
    switch code {
    case .joined(let left, let right):
      try since(5, 9, 0, "|>")
      return "\(try identifier(left))|>\(try identifier(right))"
    case .member(.name("DefaultImageProcessor"), "default"): return ""
    case .call(.member(let left?, "append"), let values):
      return "\(try identifier(left))|>\(try identifier(values[0].value))"
    case .call(.name(let name), let values): return try identifier(name, Values(values))
    default: throw NotThere("\(code)")
    }
  }

  private func identifier(_ name: String, _ values: Values) throws -> String {
    func number(_ label: String) throws -> String { "\(try self.number(values[label]))" }
    let arguments: String
    var end = ""
    switch name {
    case "WarmedProcessor": return try text(values["identifier"])
    case "BlackWhiteProcessor": return "com.onevcat.Kingfisher.BlackWhiteProcessor"
    case "ResizingImageProcessor":
      arguments = try pair(values["referenceSize"]) + (values.member("mode").map { ", \($0)" } ?? "")
    case "DownsamplingImageProcessor": arguments = try pair(values["size"])
    case "BlurImageProcessor": arguments = try number("blurRadius")
    case "OverlayImageProcessor": arguments = "\(try color(values["overlay"]))_\(try number("fraction"))"
    case "TintImageProcessor": arguments = try color(values["tint"])
    case "ColorControlsProcessor":
      arguments = try ["brightness", "contrast", "saturation", "inputEV"].map(number).joined(separator: "_")
    case "CroppingImageProcessor":
      arguments = "\(try pair(values["size"]))_\(try pair(values["anchor"]))"
    case "BlendImageProcessor":
      let mode = values.member("blendMode").flatMap(Self.blendModes.firstIndex) ?? -1
      arguments = "\(mode),\(try number("alpha"))"
      if values.has("backgroundColor") { end = "_" + (try color(values["backgroundColor"])) }
    case "RoundCornerImageProcessor":
      let size = values.has("targetSize") ? "_" + (try pair(values["targetSize"])) : ""
      let bits = try corners(values)
      arguments = try radius(values, "") + size + (bits == 15 ? "" : "_corner(\(bits))")
      if values.has("backgroundColor") { end = "_" + (try description(values["backgroundColor"])) }
    case "BorderImageProcessor": return try border(values["border"])
    default: throw NotThere(name)
    }
    return "com.onevcat.Kingfisher.\(name)(\(arguments))\(end)"
  }

  private func border(_ code: PrintedSwift?) throws -> String {
    try since(7, 0, 0, "BorderImageProcessor")
    guard case .call(.name("Border"), let members)? = code else { throw NotThere("Border") }
    let values = Values(members)
    let name = version < KingfisherVersion(8, 5, 0) ? "RoundCornerImageProcessor" : "BorderImageProcessor"
    let line = "\(try number(values["lineWidth"]))"
    return "com.onevcat.Kingfisher.\(name)(Border(color: \(try description(values["color"])), "
      + "lineWidth: \(line), radius: \(try radius(values, "Kingfisher.Radius.")), "
      + "roundingCorners: Kingfisher.RectCorner(rawValue: \(try corners(values))))"
  }

  private func radius(_ values: Values, _ prefix: String) throws -> String {
    if prefix.isEmpty, values.has("cornerRadius") { return "\(try number(values["cornerRadius"]))" }
    guard case .call(.member(nil, let kind), let parts)? = values["radius"] else { throw NotThere("radius") }
    try since(5, 14, 0, "radius")
    let value = "\(try number(parts[0].value))"
    if !prefix.isEmpty { return "\(prefix)\(kind)(\(value))" }
    return kind == "point" ? value : (kind == "widthFraction" ? "w_frac_" : "h_frac_") + value
  }

  private func corners(_ values: Values) throws -> Int {
    guard values.has("roundingCorners") else { return 15 }
    guard case .list(let corners)? = values["roundingCorners"] else { throw NotThere("corners") }
    let names = ["topLeft", "topRight", "bottomLeft", "bottomRight"]
    return try corners.reduce(0) { bits, corner in
      guard case .member(nil, let name) = corner, let index = names.firstIndex(of: name) else {
        throw NotThere("\(corner)")
      }
      return bits + 1 << index
    }
  }

  // MARK: Values

  private func number(_ code: PrintedSwift?) throws -> Double {
    guard case .number(let number)? = code else { throw NotThere("a number") }
    return number
  }

  private func text(_ code: PrintedSwift?) throws -> String {
    guard case .text(let text)? = code else { throw NotThere("a text") }
    return text
  }

  /// A size or a point as Apple's systems print it.
  private func pair(_ code: PrintedSwift?) throws -> String {
    let (labels, numbers) = try made(code)
    guard labels == ["width", "height"] || labels == ["x", "y"] else { throw NotThere("a pair") }
    return "(\(numbers[0]), \(numbers[1]))"
  }

  /// Components as `getRed` has them.
  private func color(_ code: PrintedSwift?) throws -> String {
    var (labels, parts) = try made(code)
    if labels == ["white", "alpha"] { parts = [parts[0], parts[0], parts[0], parts[1]] }
    guard version < KingfisherVersion(7, 1, 0) else {
      return "(" + parts.map { String(format: "%.2f", $0) }.joined(separator: ",") + ")"
    }
    return "#" + parts.map { String(format: "%02x", Int($0 * 255)) }.joined()
  }

  /// The colour object's own words.
  private func description(_ code: PrintedSwift?) throws -> String {
    let (labels, parts) = try made(code)
    let space = labels.first == "white" ? "UIExtendedGrayColorSpace" : "UIExtendedSRGBColorSpace"
    return space + parts.map { String(format: " %g", $0) }.joined()
  }

  /// `.init(label: number, ...)`
  private func made(_ code: PrintedSwift?) throws -> (labels: [String?], numbers: [Double]) {
    guard case .call(.member(nil, "init"), let parts)? = code else {
      throw NotThere("\(String(describing: code))")
    }
    return (parts.map(\.label), try parts.map { try number($0.value) })
  }

  private struct Values {
    var arguments: [PrintedSwift.Argument]

    init(_ arguments: [PrintedSwift.Argument]) { self.arguments = arguments }

    subscript(label: String) -> PrintedSwift? { arguments.first { $0.label == label }?.value }

    func has(_ label: String) -> Bool { self[label] != nil }

    func member(_ label: String) -> String? {
      if case .member(nil, let name)? = self[label] { name } else { nil }
    }
  }

  /// `CGBlendMode` in the order of its raw values.
  private static let blendModes = [
    "normal", "multiply", "screen", "overlay", "darken", "lighten", "colorDodge", "colorBurn", "softLight",
    "hardLight", "difference", "exclusion", "hue", "saturation", "color", "luminosity", "clear", "copy",
    "sourceIn", "sourceOut", "sourceAtop", "destinationOver", "destinationIn", "destinationOut",
    "destinationAtop", "xor", "plusDarker", "plusLighter",
  ]
}
