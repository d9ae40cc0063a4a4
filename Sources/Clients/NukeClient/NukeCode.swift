import ClientKit
import NukeCache
import Text

/// Nuke's requests in Swift.
extension NukeClient {
  package func code(named name: String, chain: Chain, scales: [Double], hasIDs: Bool) -> RequestCode {
    let request = NukeChain(chain)
    let hasColor = request.processors.contains { $0.identifier == nil && !$0.values.allColors.isEmpty }
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
    return RequestCode(
      text: (lines + ["}"]).joined(separator: "\n"), imports: ["Nuke"] + (hasColor ? ["UIKit"] : []))
  }

  private func code(_ call: ProcessorCall) -> String {
    // What the app's own processor draws is not known here; its identifier is all that the key has of it.
    if let identifier = call.identifier {
      return ".process(id: \(SwiftLiteral.string(identifier))) { $0 /* the app's own */ }"
    }
    if case .calls(let members)? = call.values.all.first {
      return "ImageProcessors.Composition([\(members.map(code).joined(separator: ", "))])"
    }
    return processorRows.row(of: call)?.swift(call.values, .named) ?? ""
  }

  /// The switches are properties.
  private func lines(of thumbnail: ProcessorCall) -> [String] {
    let off = ProcessorKey.switches.filter { !thumbnail.values.flag($0) }
    var values = thumbnail.values
    for name in off { values[name] = nil }
    let options = processorRows.row(of: thumbnail)?.swift(values, .named) ?? ""
    return ["\(off.isEmpty ? "let" : "var") thumbnail = \(options)"] + off.map { "thumbnail.\($0) = false" }
  }
}
