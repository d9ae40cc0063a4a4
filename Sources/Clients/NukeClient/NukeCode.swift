import ClientKit
import NukeCache
import Text

extension NukeClient {
  package func code(named name: String, chain: Chain, scales: [Double], hasIDs: Bool) -> RequestCode {
    let request = NukeChain(chain)
    let hasColor = request.processors.contains(where: NukeCode.hasColor)
    return RequestCode(
      text: NukeCode(version: version).function(name, request: request, hasIDs: hasIDs),
      imports: ["Nuke"] + (hasColor ? ["UIKit"] : []))
  }
}

/// Nuke's requests in Swift.
private struct NukeCode {
  let version: NukeVersion

  func function(_ name: String, request: NukeChain, hasIDs: Bool) -> String {
    let processors = request.processors.map(code)
    let list = processors.isEmpty ? "" : ", processors: [\(processors.joined(separator: ", "))]"
    let thumbnail = request.thumbnail.map(lines(of:)) ?? []
    let isShort = thumbnail.isEmpty && !hasIDs
    var lines = ["static func \(name)(_ source: Source) -> ImageRequest {"]
    let call = "ImageRequest(url: URL(string: source.url)\(list))"
    lines.append(isShort ? "  \(call)" : "  var request = \(call)")
    lines += thumbnail.map { "  " + $0 }
    // The keys of the dictionary are ignored since 13.0.0, the properties are not there before.
    let hasProperties = version >= NukeVersion(13, 0, 0)
    if !thumbnail.isEmpty {
      lines.append(
        hasProperties
          ? "  request.thumbnail = thumbnail" : "  request.userInfo[.thumbnailKey] = thumbnail")
    }
    if hasIDs {
      lines.append(
        hasProperties
          ? "  if let id = source.id { request.imageID = id }"
          : "  if let id = source.id { request.userInfo[.imageIdKey] = id }")
    }
    if !isShort { lines.append("  return request") }
    return (lines + ["}"]).joined(separator: "\n")
  }

  private func code(_ processor: ImageProcessor) -> String {
    switch processor {
    case .resize(let resize): return code(resize)
    case .circle(let border): return ".circle(\(border.map { "border: \(code($0))" } ?? ""))"
    case .roundedCorners(let radius, let unit, let border):
      let rest = arguments([unit.argument, border.map { "border: \(code($0))" }])
      return ".roundedCorners(radius: \(NumberText.plain(radius))\(rest))"
    case .gaussianBlur(let radius): return ".gaussianBlur(radius: \(radius))"
    case .coreImageFilter(let name, let identifier):
      let rest = identifier.map { ", parameters: [:], identifier: \(SwiftLiteral.string($0))" } ?? ""
      return ".coreImageFilter(name: \(SwiftLiteral.string(name))\(rest))"
    // What the app's own processor draws is not known here; its identifier is all that the key has of it.
    case .custom(let identifier), .identified(_, let identifier):
      return ".process(id: \(SwiftLiteral.string(identifier))) { $0 /* the app's own */ }"
    case .composition(let members):
      return "ImageProcessors.Composition([\(members.map(code).joined(separator: ", "))])"
    }
  }

  private func code(_ resize: ImageProcessor.Resize) -> String {
    let target: String
    var shape: [String?] = [resize.unit.argument]
    switch resize.target {
    case .width(let width): target = "width: \(NumberText.plain(width))"
    case .height(let height): target = "height: \(NumberText.plain(height))"
    case .size(let width, let height):
      target = "size: \(SwiftLiteral.size(width: width, height: height))"
      shape += [resize.contentMode.argument, resize.crop ? "crop: true" : nil]
    }
    return ".resize(\(target)\(arguments(shape + [resize.upscale ? "upscale: true" : nil])))"
  }

  private func lines(of thumbnail: ThumbnailOptions) -> [String] {
    let size =
      switch thumbnail.size {
      case .maxPixelSize(let size): "maxPixelSize: \(NumberText.plain(size))"
      case .flexible(let width, let height, let unit, let mode):
        "size: \(SwiftLiteral.size(width: width, height: height))\(arguments([unit.argument, mode.argument]))"
      }
    let flags = [
      ("createThumbnailFromImageIfAbsent", thumbnail.createThumbnailFromImageIfAbsent),
      ("createThumbnailFromImageAlways", thumbnail.createThumbnailFromImageAlways),
      ("createThumbnailWithTransform", thumbnail.createThumbnailWithTransform),
      ("shouldCacheImmediately", thumbnail.shouldCacheImmediately),
    ].filter { !$0.1 }
    let keyword = flags.isEmpty ? "let" : "var"
    return ["\(keyword) thumbnail = ImageRequest.ThumbnailOptions(\(size))"]
      + flags.map { "thumbnail.\($0.0) = false" }
  }

  private func code(_ border: ImageProcessor.Border) -> String {
    let width = border.width == 1 ? nil : "width: \(NumberText.plain(border.width))"
    return ".init(color: \(code(border.color))\(arguments([width, border.unit.argument])))"
  }

  private func code(_ color: ImageProcessor.Color) -> String {
    switch color {
    case .rgba(let red, let green, let blue, let alpha):
      return SwiftLiteral.color(red: red, green: green, blue: blue, alpha: alpha)
    case .described(let text): return ".clear /* \(SwiftLiteral.comment(text)) */"
    }
  }

  private func arguments(_ arguments: [String?]) -> String {
    arguments.compactMap { $0 }.map { ", " + $0 }.joined()
  }

  static func hasColor(_ processor: ImageProcessor) -> Bool {
    switch processor {
    case .circle(let border), .roundedCorners(_, _, let border): border != nil
    case .composition(let members): members.contains(where: hasColor)
    default: false
    }
  }
}

extension ImageProcessor.Unit {
  /// Nil for the default.
  fileprivate var argument: String? { self == .points ? nil : "unit: .\(rawValue)" }
}

extension ImageProcessor.ContentMode {
  fileprivate var argument: String? { self == .aspectFill ? nil : "contentMode: .\(rawValue)" }
}
