import Planning
import Text

/// How renditions and caches read in lines for people.
enum RenditionText {
  /// `https://e.com/1.jpg  card @3x`, safe for a terminal, without credentials.
  package static func title(_ rendition: PlannedRendition, showsSecrets: Bool = false) -> String {
    title(
      source: shortened(showsSecrets ? rendition.source : URLRedaction.redacted(rendition.source)),
      chain: rendition.chain,
      scale: rendition.dependsOnScale ? rendition.scale : nil)
  }

  /// The key with `*` for what its source's title hides.
  static func maskedKey(_ rendition: PlannedRendition) -> String { rendition.key(URLRedaction.redacted) }

  package static func title(_ rendition: RenditionRecord) -> String {
    title(source: rendition.source, chain: rendition.chain, scale: rendition.scale)
  }

  /// All chains of a line that failed for one cause; those beyond the fifth are counted.
  package static func title(_ line: FailureGroup.Line) -> String {
    let source = SafeText.escape(line.first.source)
    let chains = line.chains.filter { !$0.isEmpty }.prefix(5).map { SafeText.escape($0) }
    guard !chains.isEmpty else { return source }
    let rest = line.chains.count - chains.count
    return "\(source)  \(chains.joined(separator: ", "))\(rest > 0 ? " and \(rest) more" : "")"
  }

  private static func title(source: String, chain: String, scale: Double?) -> String {
    // Of a line that was left out nothing but its text is known.
    if chain.isEmpty { return SafeText.escape(source) }
    let scale = scale.map { " @\(NumberText.plain($0))x" } ?? ""
    return "\(SafeText.escape(source))  \(SafeText.escape(chain))\(scale)"
  }

  /// A `data:` URL may be megabytes long.
  package static func shortened(_ url: String) -> String { RenditionRecord.shortened(url) }

  /// What an app will find of a rendition where it is not the request's own entry, indented below its line.
  package static func found(_ rendition: PlannedRendition) -> String {
    guard let lookup = rendition.lookup else { return "    the app will not find it\n" }
    guard !lookup.isExact else { return "" }
    let what = lookup.isOriginal ? "the original and processes it" : "\(lookup.part) and makes the rest"
    return "    the app finds only \(what) itself\n"
  }

  /// The same of a whole plan or run; nil where all is found.
  package static func found(inPart part: Int, not nothing: Int) -> String? {
    guard part + nothing > 0 else { return nil }
    var parts: [String] = []
    if part > 0 {
      parts.append("\(NumberText.grouped(part)) found only in part, the app makes the rest itself")
    }
    if nothing > 0 { parts.append("\(NumberText.grouped(nothing)) not found") }
    return "in the app: \(parts.joined(separator: "; "))\n"
  }

  /// The app's first sweep would undo a part of the work.
  package static func warning(_ cache: CacheSize) -> String {
    "\(cache.path) takes \(ByteCountText.text(cache.countedBytes)) on the device, and the app's cache is limited to "
      + "\(ByteCountText.text(cache.sizeLimit)): its first sweep removes entries down to \(ByteCountText.text(cache.sweepTarget)); "
      + "raise size-limit together with the app's sizeLimit, or make less"
  }
}
