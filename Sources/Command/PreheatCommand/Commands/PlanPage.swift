import CacheTools
import Planning
import Reporting
import Text

/// The renditions of some sources of a plan, as they are shown; made on any core.
struct PlanPage: Sendable {
  /// Number of sources of a page: large enough that handing it over costs little beside it.
  static let sources = 512
  /// Pages that are made before they are written.
  static let atOnce = 16

  enum Form: Sendable {
    case text(showsSecrets: Bool)
    case json
    /// To be compared.
    case values
    /// Only what is to be said of all.
    case summary
  }

  private(set) var bytes: [UInt8] = []
  private(set) var values: [PlannedRendition] = []
  private(set) var counts = RunCounts()
  private(set) var sizes: KnownSizes
  private(set) var unfound = UnfoundRenditions()
  /// Keys that were not printed as they are.
  private(set) var masked = 0

  let plan: Plan
  private let animated: AnimatedSources
  private let form: Form

  init(_ plan: Plan, _ form: Form) {
    (self.plan, self.form) = (plan, form)
    animated = AnimatedSources(plan)
    sizes = KnownSizes(folder: plan.settings.cache)
  }

  /// Adds up what is to be said of all.
  mutating func add(_ other: PlanPage) {
    counts.foundInPart += other.counts.foundInPart
    counts.notFound += other.counts.notFound
    sizes.add(other.sizes)
    unfound.add(other.unfound)
    masked += other.masked
  }

  /// Takes the renditions of a source.
  mutating func add(_ number: Int) {
    sizes.beginSource()
    let source = plan.sources[number]
    let isStill = animated.isStill(source.url, source.scheme, storesNothing: sizes.isEmpty)
    let renditions =
      isStill ? plan.renditions(ofSource: number, as: nil) : animated.renditions(ofSource: number)
    for rendition in renditions { add(rendition) }
  }

  private mutating func add(_ rendition: PlannedRendition) {
    sizes.add(rendition)
    unfound.add(rendition)
    counts.count(rendition.found)
    switch form {
    case .summary: break
    case .values: values.append(rendition)
    case .json: RenditionLine(rendition).appendLine(to: &bytes)
    case .text(let showsSecrets): bytes += lines(rendition, showsSecrets).utf8
    }
  }

  // MARK: - Text

  /// `<file name>  https://…  card @3x  encoded`, then the key and what is to be known.
  private mutating func lines(_ rendition: PlannedRendition, _ showsSecrets: Bool) -> String {
    let stores = rendition.stores.map { store in
      store.fileName == rendition.fileName
        ? store.content.rawValue : "\(store.content.rawValue) as \(store.fileName)"
    }
    let name = (rendition.fileName ?? "(no file)").padded(to: 40)
    let source = showsSecrets ? rendition.source : rendition.redactedSource
    let hidden = showsSecrets ? { $0 } : URLRedaction.redacted
    var text =
      "\(name)  \(RenditionText.title(rendition, shownSource: source, shownChain: hidden(rendition.chain)))  "
    text += stores.isEmpty ? "stores nothing\n" : "stores \(stores.joined(separator: ", "))\n"
    var key = rendition.key
    if !showsSecrets {
      key = URLRedaction.key(key, source: source)
      if !key.hasBytes(of: rendition.key) { masked += 1 }
    }
    text += "    key \(SafeText.escape(RenditionText.shortened(key)))\n"
    text += RenditionText.found(rendition)
    if let note = rendition.note { text += "    note: \(SafeText.escape(hidden(note)))\n" }
    return text
  }
}
