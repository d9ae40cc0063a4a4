import Planning
import Text

/// How renditions, counts and sizes read in lines for people.
enum RenditionText {
  /// `https://e.com/1.jpg  card @3x`, safe for a terminal, without credentials.
  package static func title(_ rendition: PlannedRendition) -> String {
    let source = SafeText.escape(shortened(URLRedaction.redacted(rendition.source)))
    let scale = rendition.dependsOnScale && rendition.scale != 1 ? " @\(number(rendition.scale))x" : ""
    return "\(source)  \(SafeText.escape(rendition.chain))\(scale)"
  }

  /// A `data:` URL may be megabytes long.
  package static func shortened(_ url: String) -> String {
    url.utf8.count <= 400 ? url : String(url.prefix(80)) + "..."
  }

  /// The app's first sweep would undo a part of the work.
  package static func warning(_ cache: CacheSize) -> String {
    return
      "\(cache.cache) takes \(bytes(cache.countedBytes)) on the device, and the app's cache is limited to "
      + "\(bytes(cache.sizeLimit)): \(cache.rules.sweepWarning); raise size-limit together with the app's sizeLimit, or make less"
  }

  /// `1 source`, `12 sources`.
  package static func count(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
  }

  /// `3`, `2.5`.
  package static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
  }

  /// `512 B`, `14.2 MB`: decimal units, one digit.
  package static func bytes(_ count: Int) -> String {
    guard count >= 1000 else { return "\(count) B" }
    var value = Double(count)
    for unit in ["kB", "MB", "GB"] {
      value /= 1000
      if value < 1000 || unit == "GB" { return "\((value * 10).rounded() / 10) \(unit)" }
    }
    return "\(count) B"
  }

  /// `0.4 s`, `2 min 5 s`.
  package static func seconds(_ seconds: Double) -> String {
    guard seconds >= 60 else { return "\((seconds * 10).rounded() / 10) s" }
    let whole = Int(seconds.rounded())
    return "\(whole / 60) min \(whole % 60) s"
  }
}

extension String {
  /// Spaces behind it up to a width in characters.
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
