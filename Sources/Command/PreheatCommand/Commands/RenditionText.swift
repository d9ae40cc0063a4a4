import Planning
import Text

/// How renditions and caches read in lines for people.
enum RenditionText {
  /// `https://e.com/1.jpg  card @3x`, safe for a terminal, without credentials.
  package static func title(_ rendition: PlannedRendition) -> String {
    title(rendition, shownSource: URLRedaction.redacted(rendition.source))
  }

  /// - Parameter shownSource: the source's URL as people may see it.
  static func title(_ rendition: PlannedRendition, shownSource: String) -> String {
    title(
      source: shortened(shownSource), chain: rendition.chain,
      scale: rendition.dependsOnScale ? rendition.scale : nil)
  }

  package static func title(_ rendition: RenditionRecord) -> String {
    title(source: rendition.source, chain: rendition.chain, scale: rendition.scale)
  }

  /// All chains of a line that failed for one cause.
  package static func title(_ line: FailureGroup.Line) -> String {
    SafeText.escape(line.first.source) + (line.chainList.map { "  \(SafeText.escape($0))" } ?? "")
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
    guard let lookup = rendition.lookup else { return "    the app will not find this rendition\n" }
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
      + "raise size-limit and the app's sizeLimit, or make fewer entries"
  }
}
