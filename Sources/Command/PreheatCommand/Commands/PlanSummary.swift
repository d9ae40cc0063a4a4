import Planning
import Text

/// A plan as people see it without its rows: how much is new, what the app will not find, how large the cache will be.
extension PlanPage {
  private static let mostRows = 20

  /// Of a page of all sources.
  func summary(_ size: CacheSize) -> String {
    let settings = plan.settings
    var text = "\(NumberText.count(plan.renditionCount, "rendition")) of "
    text += "\(NumberText.count(plan.sourceCount, "source")) for \(settings.client) "
    text += "in \(SafeText.escape(settings.cache))\n"
    if let note = settings.releaseNote { text += "release: \(SafeText.escape(note))\n" }
    if let note = settings.drawing.note { text += "drawing: \(note)\n" }
    text += chains
    let limit = RenditionText.limit(size.sizeLimit)
    text += "on the device: \(ByteCountText.text(size.allocatedBytes))\(limit)\(RenditionText.budget(size)) "
    text += "in \(NumberText.count(size.files, "entry", "entries"))"
    text += sizes.unknown > 0 ? ", \(NumberText.grouped(sizes.unknown)) not made yet\n" : "\n"
    text += unfound.text
    text += RenditionText.found(inPart: counts.foundInPart, not: counts.notFound) ?? ""
    return text + "Some settings in the app's code make a warm cache useless: see docs/caches.md.\n"
  }

  /// `  card @2x    1,200 new, 34 in the cache (1.2 MiB)`.
  private var chains: String {
    let rows = sizes.groups.map { group in
      let scale = group.scale.map { " @\(NumberText.plain($0))x" } ?? ""
      let chain = group.chain.isEmpty ? "original" : URLRedaction.redacted(group.chain) + scale
      let new = group.absent > 0 ? ["\(NumberText.grouped(group.absent)) new"] : []
      let bytes = ByteCountText.text(group.bytes)
      let known = group.files > 0 ? ["\(NumberText.grouped(group.files)) in the cache (\(bytes))"] : []
      return (RenditionText.shortened(SafeText.escape(chain)), (new + known).joined(separator: ", "))
    }
    let shown = rows.prefix(Self.mostRows)
    let width = min(40, shown.map(\.0.count).max() ?? 0)
    let rest = rows.count - shown.count
    return shown.map { "  \($0.padded(to: width))  \($1)\n" }.joined()
      + (rest > 0 ? "  and \(NumberText.count(rest, "more chain", "more chains"))\n" : "")
  }
}

/// Renditions that the app will not find, by the reason.
struct UnfoundRenditions: Sendable {
  private static let examples = 3

  private var reasons: [ByteText: (count: Int, lines: [String])] = [:]

  mutating func add(_ rendition: PlannedRendition) {
    guard rendition.found == .nothing else { return }
    let reason = ByteText(
      rendition.note.map(URLRedaction.redacted) ?? "nothing that the app looks up is stored")
    reasons[reason, default: (0, [])].count += 1
    guard reasons[reason]?.lines.count ?? 0 < Self.examples else { return }
    reasons[reason]?.lines.append(
      "    \(SafeText.escape(rendition.file)):\(rendition.line)  \(RenditionText.title(rendition))\n")
  }

  mutating func add(_ other: UnfoundRenditions) {
    reasons.merge(other.reasons) { a, b in
      (a.count + b.count, Array((a.lines + b.lines).prefix(Self.examples)))
    }
  }

  /// Most first.
  var text: String {
    let sorted = reasons.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    return (sorted.isEmpty ? "" : "the app will not find:\n")
      + sorted.map { reason, found in
        "  \(NumberText.grouped(found.count)) × \(SafeText.escape(reason.text))\n" + found.lines.joined()
          + (found.count > found.lines.count
            ? "    and \(NumberText.grouped(found.count - found.lines.count)) more\n" : "")
      }.joined()
  }
}
