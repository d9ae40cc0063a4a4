import JobFile
import Planning
import Syntax
import Text

/// How renditions and caches read in lines for people.
enum RenditionText {
  /// `https://e.com/1.jpg  card @3x`, safe for a terminal, without credentials unless they are shown.
  ///
  /// - Parameters:
  ///   - shownSource: the source's URL as people may see it.
  ///   - shownChain: the chain likewise: a processor of the app's own may have the end of a URL as its identifier.
  static func title(
    _ rendition: PlannedRendition, shownSource: String? = nil, shownChain: String? = nil
  ) -> String {
    title(
      source: shortened(shownSource ?? rendition.redactedSource),
      chain: shownChain ?? URLRedaction.redacted(rendition.chain),
      scale: rendition.dependsOnScale ? rendition.scale : nil)
  }

  static func title(_ rendition: RenditionRecord) -> String {
    title(
      source: rendition.source, chain: rendition.chain,
      scale: rendition.isScaled == true ? rendition.scale : nil)
  }

  /// All chains of a line that failed for one cause.
  static func title(_ line: FailureGroup.Line) -> String {
    SafeText.escape(line.first.source) + (line.chainList.map { "  \(SafeText.escape($0))" } ?? "")
  }

  private static func title(source: String, chain: String, scale: Double?) -> String {
    // Of a line that was left out nothing but its text is known.
    if chain.isEmpty { return SafeText.escape(source) }
    let scale = scale.map { " @\(NumberText.plain($0))x" } ?? ""
    return "\(SafeText.escape(source))  \(SafeText.escape(chain))\(scale)"
  }

  /// A `data:` URL may be megabytes long.
  static func shortened(_ url: String) -> String { RenditionRecord.shortened(url) }

  /// A key in a line for people, without credentials.
  ///
  /// - Parameter source: the URL as it is shown, where it is known.
  static func key(_ key: String, source: String?) -> String {
    SafeText.escape(shortened(URLRedaction.key(key, source: source)))
  }

  /// The entry that the app finds, if it is not the request's own; indented below the rendition's line.
  static func found(_ rendition: PlannedRendition) -> String {
    guard let lookup = rendition.lookup else { return "    the app will not find this rendition\n" }
    guard !lookup.isExact else { return "" }
    let what = lookup.isOriginal ? "the original and processes it" : "\(lookup.part) and makes the rest"
    return "    the app finds only \(what) itself\n"
  }

  /// The same of a whole plan or run; nil where all is found.
  static func found(inPart part: Int, not nothing: Int) -> String? {
    guard part + nothing > 0 else { return nil }
    var parts: [String] = []
    if part > 0 {
      parts.append("\(NumberText.grouped(part)) found only in part, the app makes the rest itself")
    }
    if nothing > 0 { parts.append("\(NumberText.grouped(nothing)) not found") }
    return "in the app: \(parts.joined(separator: "; "))\n"
  }

  /// The size limit of the app, as the end of a sentence; empty for no limit.
  static func limit(_ bytes: Int) -> String {
    bytes > 0 ? " of the app's \(ByteCountText.text(bytes))" : ""
  }

  /// What a bundle may have (`max-size`), behind what the cache takes; empty where the job does not say.
  static func budget(_ cache: CacheSize) -> String {
    cache.maxSize.map { ", \(ByteCountText.text(cache.bytes)) of max-size \(ByteCountText.text($0))" } ?? ""
  }

  /// The app's first sweep would undo a part of the work, or a bundle would be too large.
  static func warnings(_ cache: CacheSize) -> [String] {
    let sweep =
      "\(cache.path) takes \(ByteCountText.text(cache.countedBytes)) on the device, and the app's cache is limited to "
      + "\(ByteCountText.text(cache.sizeLimit)): its first sweep removes entries down to \(ByteCountText.text(cache.sweepTarget)); "
      + "raise size-limit and the app's sizeLimit, or make fewer entries"
    let bundle =
      "\(cache.path) is beyond its budget\(budget(cache)); make fewer or smaller entries, or let preheat bundle --drop "
      + "leave out the least urgent sources"
    return (cache.isBeyondMaxSize ? [bundle] : []) + (cache.isBeyondLimit ? [sweep] : [])
  }
}

/// A line of a job that was left out.
struct SkippedRecord: JSONRecord {
  let job: String
  let line: SkippedLine

  static let json = JSONMembers<Self>(
    type: "skipped", ("job", \.job), ("line", \.line.diagnostic.line), ("column", \.line.diagnostic.column),
    ("text", \.text), ("status", \.status), ("error", \.error), ("list?", \.list))

  private var text: String { URLRedaction.redacted(line.diagnostic.sourceLine) }
  private var status: RenditionRecord.Status { .failed }
  private var error: RunFailure { RunFailure(line).redacted }
  private var list: String? { line.diagnostic.file == job ? nil : line.diagnostic.file }
}

extension Diagnostic: JSONRecord {
  package static let json = JSONMembers<Self>(
    type: "diagnostic", ("severity", \.severity), ("file", \.file), ("line", \.line), ("column", \.column),
    ("message", \.message), ("help", \.help))
}
