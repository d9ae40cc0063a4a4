import CacheTools
import ClientKit
import Planning
import Syntax
import Text

/// The renditions of some sources of a plan, as they are shown; made on any core.
struct PlanPage: Sendable {
  /// Number of sources of a page: large enough that handing it over costs little beside it.
  static let sources = 512

  enum Form: Sendable {
    case text(showsSecrets: Bool)
    case json
    /// To be compared.
    case values
    /// Only what is to be said of all.
    case summary

    var isCompared: Bool { if case .values = self { true } else { false } }
    var isSummary: Bool { if case .summary = self { true } else { false } }
    var isJSON: Bool { if case .json = self { true } else { false } }
    var showsSecrets: Bool { if case .text(true) = self { true } else { false } }
  }

  private(set) var bytes: [UInt8] = []
  private(set) var values: [PlannedRendition] = []
  private(set) var counts = RunCounts()
  private(set) var sizes: KnownSizes
  private(set) var unfound = UnfoundRenditions()
  /// Keys that were not printed as they are.
  private(set) var masked = 0

  private let plan: Plan
  private let animated: AnimatedSources
  /// Asked of each row: a property or method of the page that changes nothing would copy all of it.
  private let form: Form
  /// Rows that are written part by part, and the number of those of each kind that were not.
  private var templates: [RowShape.Kind: RowTemplate] = [:]
  private var written: [RowShape.Kind: Int] = [:]
  private var keys: [(text: String, isAppended: Bool)] = []

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
    let source = plan.facts(ofSource: number)
    guard animated.isStill(source.url, source.scheme, storesNothing: sizes.isEmpty) else {
      for rendition in animated.renditions(ofSource: number) { add(rendition) }
      return
    }
    let redacted = form.showsSecrets ? source.url : URLRedaction.redacted(source.url)
    var made: [PlannedRendition]?
    var (base, baseOptions) = ("", Int32(-1))
    for (index, row) in plan.rows(ofSource: number).enumerated() {
      if row.options != baseOptions {
        (base, baseOptions) = (plan.baseKey(of: row, url: source.url), row.options)
      }
      let kind = plan.kind(of: row, sourceClass: source.sourceClass)
      if let template = templates[kind], write(template, row, source: redacted, base: base) { continue }
      let renditions = made ?? plan.renditions(ofSource: number, as: nil)
      made = renditions
      add(renditions[index])
      written[kind, default: 0] += 1
      // The first of a kind may be the only one. Where rows are compared nothing is written, and what the app will not
      // find is listed.
      guard written[kind] == 2, !form.isCompared, renditions[index].found != .nothing else { continue }
      let shape = plan.shape(of: row, sourceClass: source.sourceClass, base: base)
      templates[kind] = RowTemplate(renditions[index], shape, base: base, in: plan, isQuoted: form.isJSON) {
        var page = self
        page.bytes = []
        page.add($0)
        return page.bytes
      }
    }
  }

  private mutating func add(_ rendition: PlannedRendition) {
    sizes.add(rendition)
    unfound.add(rendition)
    counts.count(rendition.found)
    switch form {
    case .summary: break
    case .values: values.append(rendition)
    case .json: RenditionLine(rendition).appendLine(to: &bytes)
    case .text: bytes += lines(rendition).utf8
    }
  }

  // MARK: - Rows that are like one before

  /// - Returns: False, and nothing is written, where the row is not like the others.
  private mutating func write(
    _ template: RowTemplate, _ row: Plan.Row, source: String, base: String
  ) -> Bool {
    guard template.shape.keys(base: base, in: plan, into: &keys) else { return false }
    var names: [[String]] = []
    for (key, count) in zip(keys, template.names) {
      let files = count == nil ? [] : template.shape.client.fileNames(forKey: key.text)
      guard files.count == count ?? 0 else { return false }
      names.append(files)
    }
    // A column is as wide as its characters.
    if !form.isJSON, let name = names[0].first, !SafeText.isPlain(name) { return false }
    for store in template.stores { sizes.add(names[store.key][store.name], store.kind) }
    counts.count(template.found)
    if form.isSummary { return true }
    let isBase = !form.showsSecrets && base.hasBytes(of: source)
    var json = JSONBytes()
    swap(&json.bytes, &bytes)
    for (index, piece) in template.pieces.enumerated() {
      switch piece {
      case .text(let range): json.bytes += template.text[range]
      case .line: json.integer(Int(row.line))
      case .source: Self.write(source, form.isJSON, to: &json)
      case .key(let number):
        let key = keys[number]
        let suffix = template.shape.suffixes[number].text
        let isShown = isBase && key.isAppended && template.shown[number]?.hasBytes(of: suffix) ?? false
        Self.write(
          form.isJSON || form.showsSecrets || isShown
            ? key.text
            : shown(key: key.text, source: source) { rest in
              rest.hasBytes(of: suffix) ? template.shown[number] : nil
            }, form.isJSON, to: &json)
      case .name(let key, let number):
        let name = names[key][number]
        if form.isJSON { json.string(name) } else { json.plain(name) }
        // The first column.
        if index == 1, !form.isJSON {
          json.plain(String(repeating: " ", count: max(0, RowTemplate.width - name.utf8.count)))
        }
      }
    }
    swap(&json.bytes, &bytes)
    return true
  }

  private static func write(_ text: String, _ isQuoted: Bool, to json: inout JSONBytes) {
    if isQuoted { json.string(text) } else { json.plain(SafeText.escape(RenditionText.shortened(text))) }
  }

  // MARK: - Text

  /// A key as people may see it. Masked ones are counted.
  ///
  /// - Parameter known: what is known already of what follows the URL.
  private mutating func shown(
    key: String, source: String, known: (String) -> String? = { _ in nil }
  ) -> String {
    let shown = URLRedaction.key(
      key, source: source, own: { known($0) ?? URLRedaction.withoutCredentials($0) })
    if !shown.hasBytes(of: key) { masked += 1 }
    return shown
  }

  /// `<file name>  https://…  card @3x  encoded`, then the key and what is to be known.
  private mutating func lines(_ rendition: PlannedRendition) -> String {
    let stores = rendition.stores.map { store in
      store.fileName == rendition.fileName
        ? store.content.rawValue : "\(store.content.rawValue) as \(store.fileName)"
    }
    let name = (rendition.fileName ?? "(no file)").padded(to: RowTemplate.width)
    let source = form.showsSecrets ? rendition.source : rendition.redactedSource
    let hidden = form.showsSecrets ? { $0 } : URLRedaction.redacted
    var text =
      "\(name)  \(RenditionText.title(rendition, shownSource: source, shownChain: hidden(rendition.chain)))  "
    text += stores.isEmpty ? "stores nothing\n" : "stores \(stores.joined(separator: ", "))\n"
    let key = form.showsSecrets ? rendition.key : shown(key: rendition.key, source: source)
    text += "    key \(SafeText.escape(RenditionText.shortened(key)))\n"
    text += RenditionText.found(rendition)
    if let note = rendition.note { text += "    note: \(SafeText.escape(hidden(note)))\n" }
    return text
  }
}
