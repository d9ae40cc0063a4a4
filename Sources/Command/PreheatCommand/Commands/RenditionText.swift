import Planning
import Text

/// How renditions and caches read in lines for people.
enum RenditionText {
  /// `https://e.com/1.jpg  card @3x`, safe for a terminal, without credentials.
  package static func title(_ rendition: PlannedRendition) -> String {
    title(
      source: shortened(URLRedaction.redacted(rendition.source)), chain: rendition.chain,
      scale: rendition.dependsOnScale ? rendition.scale : nil)
  }

  package static func title(_ rendition: RenditionRecord) -> String {
    title(source: rendition.source, chain: rendition.chain, scale: rendition.scale)
  }

  private static func title(source: String, chain: String, scale: Double?) -> String {
    let scale = scale.map { $0 == 1 ? "" : " @\(NumberText.plain($0))x" } ?? ""
    return "\(SafeText.escape(source))  \(SafeText.escape(chain))\(scale)"
  }

  /// A `data:` URL may be megabytes long.
  package static func shortened(_ url: String) -> String { RenditionRecord.shortened(url) }

  /// The app's first sweep would undo a part of the work.
  package static func warning(_ cache: CacheSize) -> String {
    "\(cache.path) takes \(ByteCountText.text(cache.countedBytes)) on the device, and the app's cache is limited to "
      + "\(ByteCountText.text(cache.sizeLimit)): its first sweep removes entries down to \(ByteCountText.text(cache.sweepTarget)); "
      + "raise size-limit together with the app's sizeLimit, or make less"
  }
}
