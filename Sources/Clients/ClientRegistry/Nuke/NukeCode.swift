import ClientKit
import NukeCache
import Text

/// Nuke's requests in Swift.
extension NukeClient {
  package func code(_ coded: CodedRequest) -> RequestCode {
    let request = NukeChain(coded.chain)
    // A delegate has the whole key, and takes no notice of an image ID.
    let (isDelegates, hasIDs) = (request.isDelegates, coded.hasIDs && !request.isDelegates)
    let calls = request.processors.map {
      isDelegates && !$0.isCustom ? ProcessorCall($0.name, $0.values) : $0
    }
    let hasColor = calls.contains { $0.identifier == nil && !$0.values.allColors.isEmpty }
    let processors = calls.map(code)
    let words = coded.options.words([
      \.reload: ".reloadIgnoringCachedData", \.offline: ".returnCacheDataDontLoad",
      \.noDiskRead: ".disableDiskCacheReads", \.noDiskWrite: ".disableDiskCacheWrites",
    ])
    let list = processors.isEmpty ? "" : ", processors: [\(processors.joined(separator: ", "))]"
    let options = words.isEmpty ? "" : ", options: [\(words.joined(separator: ", "))]"
    let thumbnail = request.thumbnail.map(lines(of:)) ?? []
    let isShort = thumbnail.isEmpty && !hasIDs
    var lines = ["static func \(coded.name)(\(Self.parameters(hasIDs: hasIDs))) -> ImageRequest {"]
    if isDelegates { lines.append("  // The delegate's cacheKey(for:pipeline:) gives the key.") }
    let call = "ImageRequest(url: URL(string: url)\(list)\(options))"
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
          ? "  if let id { request.imageID = id }"
          : "  if let id { request.userInfo[.imageIdKey] = id }")
    }
    if !isShort { lines.append("  return request") }
    return (
      (lines + ["}"]).joined(separator: "\n"), imports: ["Nuke"] + (hasColor ? ["UIKit"] : []),
      accessories: []
    )
  }

  private func code(_ call: ProcessorCall) -> String {
    // The static members came with 10.5.0.
    let hasMembers = version >= NukeVersion(10, 5, 0)
    // What the app's own processor draws is not known here; its identifier is all that the key has of it.
    if let identifier = call.identifier {
      return (hasMembers ? ".process" : "ImageProcessors.Anonymous")
        + "(id: \(SwiftLiteral.string(identifier))) { $0 /* the app's own */ }"
    }
    let member = processorRows.row(of: call)?.swift(call.values, .named) ?? ""
    return hasMembers
      ? member : "ImageProcessors." + member.dropFirst().prefix(1).uppercased() + member.dropFirst(2)
  }

  /// The switches are properties.
  private func lines(of thumbnail: ProcessorCall) -> [String] {
    let off = ProcessorKey.switches.filter { !thumbnail.values.flag($0) }
    var values = thumbnail.values
    for name in off { values[name] = nil }
    let options = processorRows.row(of: thumbnail)?.swift(values, .named) ?? ""
    return ["\(off.isEmpty ? "let" : "var") thumbnail = \(options)"] + off.map { "thumbnail.\($0) = false" }
  }

  /// Identifiers stand side by side with nothing between them, so each is read as far as its template goes.
  package func reading(ofKey key: String, base: String?, scale: Double?) -> KeyReading {
    var scanner = KeyScanner(key)
    let start = base.flatMap { scanner.isAt($0) ? $0.utf8.count : nil } ?? Self.nextMark(in: scanner)
    scanner.move(to: start)
    var calls: [ProcessorCall] = []
    while !scanner.atEnd {
      var context = context(scale)
      context.isFirst = calls.isEmpty
      let rows = calls.isEmpty ? ProcessorKey.all : ProcessorKey.processors
      if let call = last.read(&scanner, rows, context) {
        calls.append(call)
        continue
      }
      // An identifier of the app's own goes as far as the next that is known.
      let start = scanner.position
      scanner.move(to: start + 1)
      scanner.move(to: Self.nextMark(in: scanner))
      calls.append(.custom(scanner.text(from: start)))
    }
    return KeyReading(base: String(decoding: scanner.bytes[..<start], as: UTF8.self), calls: calls)
  }

  /// Where an identifier of Nuke's own begins, or the end.
  private static func nextMark(in scanner: KeyScanner) -> Int {
    ["com.github.kean/nuke/", "com.github/kean/nuke/thumbnail?"].compactMap(scanner.index).min()
      ?? scanner.bytes.endIndex
  }

  /// A resize to a width or a height has 9999 points as its other side, so its key tells the screen's scale.
  package func settings(readFrom keys: [String]) -> [SettingProposal] {
    let found = [2, 3].filter { scale in
      let side = KeyContext(release: Release(version)).side(9999 * scale, .pixels)
      let texts = [", \(side)),cm=.aspectFit", "s=(\(side), "]
      return keys.contains { key in
        let scanner = KeyScanner(key)
        return texts.contains { scanner.index(of: $0) != nil }
      }
    }
    guard !found.isEmpty else { return [] }
    let reason =
      "the open side of a resize to a width or a height is 9999 points, and the keys have it in pixels"
    return [("scale", found.map { NumberText.plain($0) }.joined(separator: " "), reason)]
  }
}
