import ClientKit
import JobFile
import Pictures
import Text

/// All renditions of a job, grouped by source: what a run will do, known before anything is fetched.
///
/// Rows are small and keys are made when they are asked for, so that a million entries fit in memory.
package struct Plan: Sendable {
  package let settings: JobSettings
  /// The settings' own, looked up once.
  let stripQuery: QueryNames
  let check: OriginalCheck
  /// The job's client, made once.
  package let client: any ImageClient
  /// Those of lines with settings of their own.
  var otherClients: [any ImageClient] = []
  package internal(set) var chains = ChainTable()
  package internal(set) var variants: [ChainVariant] = []
  package internal(set) var sources: [Source] = []
  package internal(set) var options: [RequestOptions] = []
  package internal(set) var files: [String] = []
  /// Grouped by source, inside a source in the order of the job.
  package internal(set) var rows: [Row] = []
  /// `rows[firstRow[s]..<firstRow[s + 1]]` are those of source `s`.
  var firstRow: [Int] = []
  /// Keys of all requests, and of all entries that a run stores.
  var keys: [KeyMark: KeyUse] = [:]

  /// For each of `options` the first one that stores alike: what a row has for itself decides nothing there.
  var storingAlike: [Int32] = []
  /// What each situation that occurs in the job stores: thousands of rows share it.
  var storages: [Situation: JudgedStorage] = [:]
  /// Lines of the job that were left out (`skip-invalid`).
  package var skipped = SkippedLines()
  /// The settings that hold, as lines of a job. They may hold secrets.
  package var settingLines: [SettingLine] = []

  /// What decides which entries a rendition has.
  struct Situation: Hashable, Sendable {
    var variant: Int32
    /// The first options that store alike.
    var options: Int32
    var sourceClass: Int
  }

  /// What is downloaded once, however many renditions come of it.
  package struct Source: Sendable, Hashable {
    package var url: String
    package var scheme: SourceScheme
  }

  /// A rendition as indexes into the plan's tables.
  package struct Row: Sendable, Hashable {
    package var source: Int32
    package var variant: Int32
    package var options: Int32
    package var file: Int32
    package var line: Int32
  }

  package var sourceCount: Int { sources.count }
  package var renditionCount: Int { rows.count }

  package func rows(ofSource source: Int) -> ArraySlice<Row> { rows[firstRow[source]..<firstRow[source + 1]] }

  /// The renditions one after the other, in the order in which a run visits their sources.
  package var renditions: some Sequence<PlannedRendition> { rows.lazy.map { rendition(at: $0) } }

  /// What the keys of a rendition begin with.
  package func baseKey(of row: Row, url: String? = nil) -> String {
    client.baseKey(
      url: url ?? sources[Int(row.source)].url, options: options[Int(row.options)], stripQuery: stripQuery)
  }

  package func client(of row: Row) -> any ImageClient { client(of: variants[Int(row.variant)]) }

  func client(of variant: ChainVariant) -> any ImageClient {
    variant.client == 0 ? client : otherClients[variant.client - 1]
  }

  /// Equal for rows of one chain whose requests have the same settings.
  package func requestKind(of row: Row) -> Int {
    let variant = variants[Int(row.variant)]
    return variant.chain * (otherClients.count + 1) + variant.client
  }

  package func key(of row: Row) -> String {
    client.key(base: baseKey(of: row), variants[Int(row.variant)].form.suffix)
  }

  package func renditions(ofSource number: Int, as kind: AnimatedKind?) -> [PlannedRendition] {
    // One text for all of a source's rows.
    let redacted = URLRedaction.redacted(sources[number].url)
    return rows(ofSource: number).map { judged(at: $0, as: kind, redacted).rendition }
  }

  /// - Parameter kind: of a source that is known to be animated.
  package func rendition(at row: Row, as kind: AnimatedKind? = nil) -> PlannedRendition {
    judged(at: row, as: kind).rendition
  }

  /// The rendition, and what its request stores.
  func judged(
    at row: Row, as kind: AnimatedKind?, _ redactedSource: String? = nil
  ) -> (rendition: PlannedRendition, storage: JudgedStorage) {
    let (source, judged) = (sources[Int(row.source)], judgedStorage(of: row))
    let variant = variants[Int(row.variant)]
    let options = options[Int(row.options)]
    let base = client.baseKey(url: source.url, options: options, stripQuery: stripQuery)
    let key = client.key(base: base, variant.form.suffix)
    // A name is a digest: it is made once for each key.
    let own = self.client(of: variant)
    let names = own.fileNames(forKey: key)
    // Most clients store such a still as any other.
    let kind = kind == .rarer && judged.storage.animated[.rarer] == nil ? nil : kind
    let storage = adapted(judged.storage, to: kind)
    let expiry = client.folder.expiry(options)
    let obstacle = judged.storage.needsDrawing ? variant.form.drawing.obstacle : nil
    let rendition = PlannedRendition(
      job: settings.path, file: files[Int(row.file)], line: Int(row.line), source: source.url,
      redactedSource: redactedSource ?? URLRedaction.redacted(source.url), chain: chains[variant.chain].label,
      scale: variant.form.scale, dependsOnScale: variant.form.dependsOnScale, client: settings.client,
      asked: settings.origin.asked, rules: settings.origin.rules?.description, key: key,
      fileName: names.first,
      stores: (obstacle == nil ? storage.entries : []).flatMap { entry in
        let isOwn = entry.key.text.hasBytes(of: variant.form.suffix.text)
        let storeKey = isOwn ? key : client.key(base: base, entry.key)
        return (isOwn ? names : own.fileNames(forKey: storeKey)).map { fileName in
          PlannedRendition.Store(
            key: storeKey, fileName: fileName, content: entry.content, expiry: expiry,
            priority: options.priority)
        }
      }, obstacle: obstacle,
      lookups: lookups(
        judged, baseKey: base, own: (variant.form.suffix.text, key), kind.map { keys(of: row, as: $0) }),
      note: key.isEmpty
        ? "the key is empty: the client neither stores nor finds it" : obstacle ?? storage.note,
      animated: kind)
    return (rendition, judged)
  }

  /// What a request stores and looks up.
  struct JudgedStorage: Sendable {
    var storage: EntryStorage
    /// What each of its lookups is worth to the app where that entry alone is there.
    var worth: [LookupOutcome]
    /// What a run stores of a source that is not animated.
    var stores: [EntryRule]
    /// What animated sources become under the request's own key: it decides the bytes there.
    var animated: String
  }

  /// What the rendition's request stores and looks up; of an animated source with the reason as its note.
  package func storage(of row: Row, as kind: AnimatedKind? = nil) -> EntryStorage {
    adapted(judgedStorage(of: row).storage, to: kind)
  }

  func judgedStorage(of row: Row) -> JudgedStorage {
    let situation = situation(of: row)
    if let known = storages[situation] { return known }
    let (variant, options) = (variants[Int(row.variant)], options[Int(row.options)])
    let storage = storage(of: variant, sourceClass: situation.sourceClass, options)
    let worth = storage.lookups.map { key in
      let steps = storage.lookups.map { (key: $0, state: $0 == key ? EntryState.present : .absent) }
      return client(of: variant).finding((variant.form, options, steps, original: nil, hints: [])).outcome
    }
    let isMade = variant.form.drawing.obstacle == nil || !storage.needsDrawing
    return JudgedStorage(
      storage: storage, worth: worth, stores: isMade ? storage.entries : [],
      animated: storage.identity(of: variant.form.suffix))
  }

  func storage(of variant: ChainVariant, sourceClass: Int = 0, _ options: RequestOptions) -> EntryStorage {
    var options = options
    options.encoding = encoding(of: variant, options)
    return client(of: variant).storage(
      of: chains[variant.chain].chain, form: variant.form, sourceClass: sourceClass, options: options)
  }

  private func adapted(_ storage: EntryStorage, to kind: AnimatedKind?) -> EntryStorage {
    guard let kind else { return storage }
    var storage = storage
    if let animated = storage.animated[kind] {
      storage.entries = animated.entries
      storage.note = "\(kind.rawValue): \(animated.reason)"
    } else if storage.needsDrawing, kind != .stillGIF, kind != .rarer, storage.note == nil {
      storage.note = "\(kind.rawValue): \(settings.client) stores its first frame"
    }
    return storage
  }

  /// Keys of all that a run stores of the row's source.
  private func keys(of row: Row, as kind: AnimatedKind) -> Set<ByteText> {
    Set(
      rows(ofSource: Int(row.source)).flatMap { other in
        storage(of: other, as: kind).entries.map { ByteText(client.key(base: baseKey(of: other), $0.key)) }
      })
  }

  func situation(of row: Row) -> Situation {
    let source = sources[Int(row.source)]
    return Situation(
      variant: row.variant, options: storingAlike[Int(row.options)],
      // Among those that the client tells apart.
      sourceClass: client.sourceClass(url: source.url, scheme: source.scheme))
  }

  /// What an app will find once the job has run, whichever of its renditions stored it.
  ///
  /// - Parameters:
  ///   - own: the suffix of the request's own key, and the key.
  ///   - keys: of all that is stored, where that is not what the plan counts on.
  private func lookups(
    _ judged: JudgedStorage, baseKey: String, own: (suffix: String, key: String), _ keys: Set<ByteText>?
  ) -> [PlannedRendition.Lookup] {
    var found: [PlannedRendition.Lookup] = []
    for (index, lookup) in judged.storage.lookups.enumerated() {
      let worth = judged.worth[index]
      guard worth != .miss, !(baseKey.isEmpty && lookup.text.isEmpty) else { continue }
      let key = lookup.text.hasBytes(of: own.suffix) ? own.key : client.key(base: baseKey, lookup)
      if let keys {
        guard keys.contains(ByteText(key)) else { continue }
        // An empty key stores nothing. What a request stores itself needs no look into a large table.
      } else if own.key.isEmpty || !judged.stores.contains(where: { $0.key == lookup }) {
        guard self.keys[KeyMark(key)]?.isStored == true else { continue }
      }
      found.append(PlannedRendition.Lookup(part: lookup.part, key: key, isExact: worth == .exact))
    }
    return found
  }

  /// The plan of one source's renditions alone.
  package func limited(toSource url: String) -> Plan {
    var plan = self
    (plan.rows, plan.firstRow) = ([], [0])
    for (index, source) in sources.enumerated() {
      if source.url.utf8.elementsEqual(url.utf8) { plan.rows += rows(ofSource: index) }
      plan.firstRow.append(plan.rows.count)
    }
    return plan
  }

  package static func files(of plans: [Plan]) -> Set<ByteText> {
    var names: Set<ByteText> = []
    for plan in plans {
      for row in plan.rows { names.formUnion(plan.possibleFiles(at: row).map { ByteText($0) }) }
    }
    return names
  }

  /// The same files with what each of them is for.
  package var plannedFiles: [ByteText: PlannedFile] {
    var files: [ByteText: PlannedFile] = [:]
    for source in sources.indices {
      for row in rows(ofSource: source) {
        let form = variants[Int(row.variant)].form
        let scale = form.dependsOnScale ? form.scale : nil
        for name in possibleFiles(at: row).map({ ByteText($0) }) {
          var file = files[name] ?? PlannedFile(place: source, scale: scale)
          if file.scale != scale { file.scale = nil }
          files[name] = file
        }
      }
    }
    return files
  }

  /// How the ledger names the job: by its path as seen from the cache folder, so that both can move together.
  package var jobName: String {
    let path = settings.path
    let folder = PathText.real(PathText.folder(of: path))
    return path == "-"
      ? path
      : PathText.relative(PathText.joined(PathText.name(of: path) ?? "", to: folder), to: settings.cache)
  }
}

/// What a job has a file for.
package struct PlannedFile: Sendable, Hashable {
  /// The place of its source among those of the job, the most urgent first.
  package var place: Int
  /// The screens that it is for; nil for those of every scale.
  package var scale: Double?

  package init(place: Int, scale: Double?) {
    (self.place, self.scale) = (place, scale)
  }
}

/// What a run may store, whatever its sources turn out to be.
extension Plan {
  /// The names of all files that a run may store for a row, whatever its source turns out to be.
  package func possibleFiles(at row: Row) -> [String] {
    let storage = storage(of: row)
    let base = baseKey(of: row)
    let client = client(of: row)
    return storage.possibleEntries.flatMap { client.fileNames(forKey: client.key(base: base, $0.key)) }
  }

  /// The names under which its request has the source as it came.
  package func originalFiles(at row: Row) -> [String] { client(of: row).fileNames(forKey: baseKey(of: row)) }

  /// What a run is responsible for once all files are in place: all that it may store, whatever its sources turn out
  /// to be.
  package func forEachFinishedEntry(_ body: (FinishedEntry) -> Void) {
    for row in rows {
      let (base, client) = (baseKey(of: row), client(of: row))
      let options = options[Int(row.options)]
      let expiry = client.folder.expiry(options)
      for rule in storage(of: row).possibleEntries {
        for file in client.fileNames(forKey: client.key(base: base, rule.key)) {
          body((file, rule.content, expiry, options.priority.rank))
        }
      }
    }
  }
}
