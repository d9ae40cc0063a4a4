import NukeCache

/// All renditions of a job, grouped by source: what a run will do, known before anything is fetched.
///
/// Rows are small and keys are made when they are asked for, so that a million entries fit in memory.
package struct Plan: Sendable {
  package let settings: JobSettings
  /// The client's, made once.
  package let layout: any CacheLayout
  package let chains: ChainTable
  package let variants: [ChainVariant]
  package let sources: [Source]
  package let options: [EntryOptions]
  package let files: [String]
  /// Grouped by source, inside a source in the order of the job.
  package let rows: [Row]
  /// `rows[firstRow[s]..<firstRow[s + 1]]` are those of source `s`.
  package let firstRow: [Int]
  /// Keys of all entries that a run stores.
  package let stored: CollisionIndex.Marks

  package init(
    settings: JobSettings, layout: any CacheLayout, chains: ChainTable, variants: [ChainVariant],
    sources: [Source], options: [EntryOptions], files: [String], rows: [Row], firstRow: [Int],
    stored: CollisionIndex.Marks
  ) {
    self.settings = settings
    self.layout = layout
    self.chains = chains
    self.variants = variants
    self.sources = sources
    self.options = options
    self.files = files
    self.rows = rows
    self.firstRow = firstRow
    self.stored = stored
  }

  /// What is downloaded once, however many renditions come of it.
  package struct Source: Sendable, Hashable {
    package var url: String
    package var scheme: JobEntry.Scheme
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

  /// The rows of one source.
  package func rows(ofSource source: Int) -> ArraySlice<Row> { rows[firstRow[source]..<firstRow[source + 1]] }

  /// The renditions one after the other, in the order in which a run visits their sources.
  package var renditions: some Sequence<PlannedRendition> {
    rows.lazy.map { self.rendition(at: $0) }
  }

  /// What the keys of a rendition begin with.
  package func baseKey(of row: Row) -> String {
    layout.baseKey(
      url: sources[Int(row.source)].url, options: options[Int(row.options)], stripQuery: settings.stripQuery)
  }

  /// The rendition in full.
  package func rendition(at row: Row) -> PlannedRendition {
    let variant = variants[Int(row.variant)]
    let id = baseKey(of: row)
    let key = id + variant.suffix
    let options = options[Int(row.options)]
    let storage = layout.storage(sources[Int(row.source)], variant: variant, options: options)
    let expiry = layout.expiry(options)
    return PlannedRendition(
      job: settings.path, file: files[Int(row.file)], line: Int(row.line),
      source: sources[Int(row.source)].url, chain: chains[variant.chain].label, scale: variant.scale,
      dependsOnScale: variant.dependsOnScale, client: settings.client, key: key,
      fileName: layout.fileNames(forKey: key).first,
      stores: storage.entries.flatMap { entry in
        let key = id + variant.suffix(of: entry.key)
        return layout.fileNames(forKey: key).map { fileName in
          PlannedRendition.Store(key: key, fileName: fileName, content: entry.content, expiry: expiry)
        }
      }, lookup: lookup(of: row, baseKey: id), note: note(for: variant, key: key, storage: storage))
  }

  /// What an app will find once the job has run, whichever of its renditions stored it.
  private func lookup(of row: Row, baseKey: String) -> PlannedRendition.Lookup? {
    let variant = variants[Int(row.variant)]
    for lookup in variant.lookups where !(baseKey.isEmpty && lookup.suffix.isEmpty) {
      guard stored.contains(CollisionIndex.Mark(baseKey: baseKey, suffix: lookup.suffix)) else { continue }
      return PlannedRendition.Lookup(
        key: baseKey + lookup.suffix, part: lookup.part, isExact: lookup == variant.lookups.first)
    }
    return nil
  }

  private func note(for variant: ChainVariant, key: String, storage: PlannedStorage) -> String? {
    if key.isEmpty { return "the key is empty: the client neither stores nor finds it" }
    if case .impossible(let reason) = variant.drawing, storage.needsDrawing { return reason }
    return storage.note
  }
}
