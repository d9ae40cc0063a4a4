import Planning
import Text

/// How renditions and caches read in lines for people.
enum RenditionText {
  /// `https://e.com/1.jpg  card @3x`, safe for a terminal, without credentials.
  package static func title(_ rendition: PlannedRendition) -> String {
    let source = SafeText.escape(shortened(URLRedaction.redacted(rendition.source)))
    let scale =
      rendition.dependsOnScale && rendition.scale != 1 ? " @\(NumberText.plain(rendition.scale))x" : ""
    return "\(source)  \(SafeText.escape(rendition.chain))\(scale)"
  }

  /// A `data:` URL may be megabytes long.
  package static func shortened(_ url: String) -> String {
    url.utf8.count <= 400 ? url : String(url.prefix(80)) + "..."
  }

  /// The app's first sweep would undo a part of the work.
  package static func warning(_ cache: CacheSize) -> String {
    let (size, sweep) =
      switch cache.client {
      case .nuke: (cache.allocatedBytes, "its first sweep removes what comes last in the job")
      case .kingfisher: (cache.bytes, "its first cleaning removes entries down to half of that")
      }
    return
      "\(cache.cache) takes \(ByteCountText.text(size)) on the device, and the app's cache is limited to "
      + "\(ByteCountText.text(cache.sizeLimit)): \(sweep); raise size-limit together with the app's sizeLimit, or make less"
  }
}

extension String {
  /// Spaces behind it up to a width in characters.
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
