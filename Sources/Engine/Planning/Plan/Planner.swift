import NukeCache

/// Builds a ``Plan`` entry by entry.
struct Planner {
  private let settings: JobSettings
  private let layout: any CacheLayout
  private var variants: [ChainVariant] = []
  private var variantsOfChain: [[Int]] = []
  private var sources: [Plan.Source] = []
  private var sourceIndex: [String: Int32] = [:]
  private var options: [EntryOptions] = []
  private var optionsIndex: [EntryOptions: Int32] = [:]
  private var files: [String] = []
  private var rows: [Plan.Row] = []
  /// Which row has a request's own key, and which stores an original under another key than its own.
  private var requests = CollisionIndex()
  private var originals = CollisionIndex()
  /// All that the job stores, so that a plan can say what an app will find.
  private var stored = CollisionIndex.Marks()
  /// Thousands of rows share what they store.
  private var storesOfSituation: [Situation: [Store]] = [:]
  /// Collisions, and keys that the client can do nothing with.
  private(set) var findings: [Diagnostic] = []

  private struct Situation: Hashable {
    package var variant: Int32
    package var options: Int32
    package var resource: ResourceKind
  }

  private struct Store {
    package var suffix: String
    /// An original under another key than the request's own.
    var isOriginalBeside: Bool
  }

  init(settings: JobSettings) {
    self.settings = settings
    layout = settings.layout
  }

  /// Takes one entry. `chains` is the table as far as the job has been read.
  package mutating func add(_ entry: JobEntry, chains: ChainTable) {
    resolve(chains)
    let source = index(of: entry)
    let file = fileIndex(entry.file)
    for chain in entry.chains {
      for variant in variantsOfChain[chain] {
        add(
          Plan.Row(
            source: source, variant: Int32(variant), options: index(of: entry.options), file: file,
            line: Int32(entry.line)))
      }
    }
  }

  /// The plan, renditions grouped by source in the order in which sources first appear; those of a
  /// higher priority come first.
  package mutating func plan(chains: ChainTable) -> Plan {
    // What only reading needed makes room: for a million lines it is as much as the plan itself.
    sourceIndex = [:]
    requests = CollisionIndex()
    originals = CollisionIndex()
    let order = sourceOrder()
    var rank = [Int32](repeating: 0, count: sources.count)
    for (position, source) in order.enumerated() { rank[Int(source)] = Int32(position) }
    var firstRow = [Int](repeating: 0, count: sources.count + 1)
    for row in rows { firstRow[Int(rank[Int(row.source)]) + 1] += 1 }
    for index in firstRow.indices.dropFirst() { firstRow[index] += firstRow[index - 1] }
    // Each row to the next free place of its source: the job's order holds inside a source.
    var next = firstRow
    var grouped = rows
    for var row in rows {
      row.source = rank[Int(row.source)]
      grouped[next[Int(row.source)]] = row
      next[Int(row.source)] += 1
    }
    return Plan(
      settings: settings, layout: layout, chains: chains, variants: variants,
      sources: order.map { sources[Int($0)] },
      options: options, files: files, rows: grouped, firstRow: firstRow, stored: stored)
  }

  /// Sources by falling priority of their most urgent rendition, then as they came.
  private func sourceOrder() -> [Int32] {
    let order = sources.indices.map(Int32.init)
    guard options.contains(where: { $0.priority != options.first?.priority }) else { return order }
    var priority = [Int](repeating: Int.min, count: sources.count)
    for row in rows {
      let value = options[Int(row.options)].priority.rawValue
      priority[Int(row.source)] = max(priority[Int(row.source)], value)
    }
    return order.sorted { a, b in (-priority[Int(a)], a) < (-priority[Int(b)], b) }
  }

  private mutating func resolve(_ chains: ChainTable) {
    while variantsOfChain.count < chains.rows.count {
      let index = variantsOfChain.count
      var resolved = layout.variants(of: chains[index].chain, index: index, scales: settings.scales)
      for variant in resolved.indices { resolved[variant].encoding = chains[index].encoding }
      variantsOfChain.append(Array(variants.count..<(variants.count + resolved.count)))
      variants += resolved
    }
  }

  private mutating func index(of entry: JobEntry) -> Int32 {
    if let known = sourceIndex[entry.url] { return known }
    let index = Int32(sources.count)
    sources.append(Plan.Source(url: entry.url, scheme: entry.scheme))
    sourceIndex[entry.url] = index
    return index
  }

  private mutating func index(of options: EntryOptions) -> Int32 {
    if let known = optionsIndex[options] { return known }
    let index = Int32(self.options.count)
    self.options.append(options)
    optionsIndex[options] = index
    return index
  }

  private mutating func fileIndex(_ file: String) -> Int32 {
    if files.last == file { return Int32(files.count - 1) }
    if let known = files.firstIndex(of: file) { return Int32(known) }
    files.append(file)
    return Int32(files.count - 1)
  }
}

// MARK: - Same rendition or collision

extension Planner {
  private mutating func add(_ row: Plan.Row) {
    let variant = variants[Int(row.variant)]
    let id = baseKey(of: row)
    if !(id.isEmpty && variant.suffix.isEmpty) {
      let mark = CollisionIndex.Mark(baseKey: id, suffix: variant.suffix)
      if let first = requests[mark], hasKey(first, id + variant.suffix) {
        meet(row, first: first)
        return
      }
      if let first = originals[mark], rows[Int(first)].source != row.source {
        collide(row, rows[Int(first)])
      }
      requests[mark] = Int32(rows.count)
      if let fault = layout.fault(ofKey: id + variant.suffix) { refuse(row, fault) }
      noteStores(of: row, id: id, variant: variant)
    }
    rows.append(row)
  }

  private func hasKey(_ index: Int32, _ key: String) -> Bool {
    let row = rows[Int(index)]
    return (baseKey(of: row) + variants[Int(row.variant)].suffix).utf8.elementsEqual(key.utf8)
  }

  /// Notes what a run will store. Originals beside the request's own entry must not be those of another
  /// source.
  private mutating func noteStores(of row: Plan.Row, id: String, variant: ChainVariant) {
    for store in stores(of: row, variant: variant) where !(id.isEmpty && store.suffix.isEmpty) {
      let mark = CollisionIndex.Mark(baseKey: id, suffix: store.suffix)
      stored.insert(mark)
      guard store.isOriginalBeside else { continue }
      let others = [originals[mark], requests[mark]].compactMap { $0 }
      if let other = others.first(where: { rows[Int($0)].source != row.source }) {
        collide(row, rows[Int(other)])
      }
      if originals[mark] == nil { originals[mark] = Int32(rows.count) }
    }
  }

  private mutating func stores(of row: Plan.Row, variant: ChainVariant) -> [Store] {
    let source = sources[Int(row.source)]
    let situation = Situation(variant: row.variant, options: row.options, resource: layout.resource(source))
    if let known = storesOfSituation[situation] { return known }
    let entries = layout.storage(source, variant: variant, options: options[Int(row.options)]).entries
    let stores = entries.filter { $0.content == .original || variant.isDrawable }.map { entry in
      let suffix = variant.suffix(of: entry.key)
      return Store(
        suffix: suffix, isOriginalBeside: entry.content == .original && suffix != variant.suffix)
    }
    storesOfSituation[situation] = stores
    return stores
  }

  /// `row` asks for a key that a row before it has: the same rendition again, or another one.
  private mutating func meet(_ row: Plan.Row, first: Int32) {
    let known = rows[Int(first)]
    guard isSame(row, known) else { return collide(row, known) }
    // The same rendition twice is one; what only one of the two lines asks for still holds.
    let merged = options[Int(known.options)].merged(with: options[Int(row.options)])
    rows[Int(first)].options = index(of: merged)
  }

  private func isSame(_ a: Plan.Row, _ b: Plan.Row) -> Bool {
    let (first, second) = (variants[Int(a.variant)], variants[Int(b.variant)])
    return a.source == b.source && first.drawing == second.drawing && first.suffix == second.suffix
      && encoding(of: a) == encoding(of: b)
      && options[Int(a.options)].sha256 ?? options[Int(b.options)].sha256
        == options[Int(b.options)].sha256 ?? options[Int(a.options)].sha256
  }

  private func encoding(of row: Plan.Row) -> JobEncoding {
    options[Int(row.options)].encoding ?? variants[Int(row.variant)].encoding ?? settings.encoding
  }

  private mutating func refuse(_ row: Plan.Row, _ fault: String) {
    findings.append(
      Diagnostic(
        .error, file: files[Int(row.file)], line: Int(row.line), column: 1,
        message: "\(settings.client) cannot cache this rendition: \(fault)"))
  }

  private mutating func collide(_ row: Plan.Row, _ first: Plan.Row) {
    let place = "\(files[Int(first.file)]):\(first.line)"
    findings.append(
      Diagnostic(
        .error, file: files[Int(row.file)], line: Int(row.line), column: 1,
        message: "this rendition has the same cache key as another one, at \(place)",
        help: "an app would find one picture for both; give one of them its own id=, or remove it"))
  }

  private func baseKey(of row: Plan.Row) -> String {
    layout.baseKey(
      url: sources[Int(row.source)].url, options: options[Int(row.options)], stripQuery: settings.stripQuery)
  }
}

extension EntryOptions {
  /// One rendition asked for by two lines.
  func merged(with other: EntryOptions) -> EntryOptions {
    var merged = self
    merged.priority = max(priority, other.priority)
    merged.reload = reload || other.reload
    merged.noDiskRead = noDiskRead || other.noDiskRead
    // What one of two lines may fetch or store is fetched or stored.
    merged.offline = offline && other.offline
    merged.noDiskWrite = noDiskWrite && other.noDiskWrite
    merged.sha256 = sha256 ?? other.sha256
    merged.expiry = expiry ?? other.expiry
    return merged
  }
}
