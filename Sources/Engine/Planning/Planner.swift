import ClientKit
import JobFile
import Pictures
import Syntax
import Text

/// Builds a ``Plan`` line by line.
struct Planner {
  private let settings: JobSettings
  private let stripQuery: [QueryPattern]
  private let client: any ImageClient
  private var variants: [ChainVariant] = []
  private var variantsOfChain: [[Int]] = []
  private var ownVariants: [Double: [Int: Int]] = [:]
  private var chainRows: [ChainTable.Row] = []
  private var sources = SourceTable()
  private var sourceIndex = SourceIndex()
  private var ordinals: [Int] = []
  private var options: [RequestOptions] = []
  private var optionsIndex: [RequestOptions: Int32] = [:]
  /// For each of `options` the first one that stores alike: what a row has for itself decides nothing there.
  private var storingAlike: [Int32] = []
  private var files: [String] = []
  private var rows: [Plan.Row] = []
  /// Which row has a request's own key, and which stores an original under another key than its own.
  private var requests = CollisionIndex()
  private var originals = CollisionIndex()
  /// All that the job stores, so that a plan can say what an app will find.
  private var stored = CollisionIndex.Marks()
  /// Thousands of rows share what they store.
  private var storages: [Plan.Situation: EntryStorage] = [:]
  private var storesOfSituation: [Plan.Situation: [Store]] = [:]
  /// Collisions, and keys that the client can do nothing with.
  private var errors: [Diagnostic] = []
  private var localKeys = LocalKeys()
  /// Lines whose keys the client can do nothing with, where such lines are left out.
  private(set) var skipped = SkippedLines()
  /// Nil where the job names its scales.
  private var missingScale: MissingScale?

  private typealias Base = CollisionIndex.Base

  private struct Store {
    var suffix: KeySuffix
    /// An original under another key than the request's own.
    var isOriginalBeside: Bool
  }

  init(settings: JobSettings, client: any ImageClient) {
    self.settings = settings
    stripQuery = settings.stripQuery
    self.client = client
    missingScale = settings.values.has(JobKey.scale.name) ? nil : MissingScale()
  }

  /// Collisions, keys that the client can do nothing with, and those that no app will have.
  var findings: [Diagnostic] { errors + localKeys.findings }

  /// Takes one line. `chains` is the table as far as the job has been read.
  mutating func add(_ line: JobLine, chains: ChainTable) {
    resolve(chains)
    let source = sourceIndex.number(of: line.url, line.scheme, in: &sources)
    if settings.shard != nil, sources.count > ordinals.count { ordinals.append(line.ordinal) }
    let file = fileIndex(line.file)
    let options = index(of: line.options)
    let baseKey = client.baseKey(url: line.url, options: line.options, stripQuery: stripQuery)
    let base = Base(baseKey)
    if line.scheme == .file, line.options.imageID == nil {
      localKeys.note(baseKey, of: line)
    }
    for chain in line.chains {
      for variant in variants(of: chain, baseKey: baseKey) {
        add(
          Plan.Row(
            source: source, variant: Int32(variant), options: options, file: file, line: Int32(line.line)),
          base)
      }
    }
  }

  /// What is to be known of the job as a whole.
  var warning: Diagnostic? {
    missingScale?.warning(
      files: files, client: client, chain: { chainRows[$0].chain }, baseKey: { baseKey(of: $0) })
  }

  /// The plan, renditions grouped by source in the order in which sources first appear; those of a
  /// higher priority come first.
  mutating func plan(chains: ChainTable) -> Plan {
    // What only reading needed makes room: for a million lines it is as much as the plan itself.
    sourceIndex = SourceIndex()
    optionsIndex = [:]
    requests = CollisionIndex()
    originals = CollisionIndex()
    let order = sourceOrder()
    var rank = [Int32](repeating: 0, count: sources.count)
    for (position, source) in order.enumerated() { rank[Int(source)] = Int32(position) }
    var firstRow = [Int](repeating: 0, count: sources.count + 1)
    for row in rows { firstRow[Int(rank[Int(row.source)]) + 1] += 1 }
    for index in firstRow.indices.dropFirst() { firstRow[index] += firstRow[index - 1] }
    group(by: rank, firstRow)
    var plan = Plan(
      settings: settings, stripQuery: stripQuery, client: client, chains: chains, variants: variants,
      sources: sources.ordered(order), options: options, files: files, rows: rows, firstRow: firstRow,
      stored: stored, storingAlike: storingAlike, storages: storages)
    if !ordinals.isEmpty { plan.ordinals = order.map { ordinals[Int($0)] } }
    return plan
  }

  /// Puts rows into the order of their sources; the job's order holds inside a source.
  private mutating func group(by rank: [Int32], _ firstRow: [Int]) {
    for index in rows.indices { rows[index].source = rank[Int(rows[index].source)] }
    // As nearly every job has them, and a second table would be as large as the first.
    guard zip(rows, rows.dropFirst()).contains(where: { $0.source > $1.source }) else { return }
    var next = firstRow
    var grouped = rows
    for row in rows {
      grouped[next[Int(row.source)]] = row
      next[Int(row.source)] += 1
    }
    rows = grouped
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
    if chainRows.count < chains.rows.count { chainRows = chains.rows }
    while variantsOfChain.count < chains.rows.count {
      let index = variantsOfChain.count
      let row = chains[index]
      let resolved = client.forms(of: row.chain, scales: settings.scales).map {
        ChainVariant(chain: index, form: $0, encoding: row.encoding)
      }
      variantsOfChain.append(Array(variants.count..<(variants.count + resolved.count)))
      variants += resolved
    }
  }

  /// A picture whose key names its scale has it, where the job names none.
  private mutating func variants(of chain: Int, baseKey: String) -> [Int] {
    guard missingScale != nil, case .known(let scale) = client.scale(ofKey: baseKey),
      settings.scales != [scale]
    else { return variantsOfChain[chain] }
    if let known = ownVariants[scale]?[chain] { return [known] }
    let (form, encoding) = (client.form(of: chainRows[chain].chain, scale: scale), chainRows[chain].encoding)
    variants.append(ChainVariant(chain: chain, form: form, encoding: encoding))
    ownVariants[scale, default: [:]][chain] = variants.count - 1
    return [variants.count - 1]
  }

  private mutating func index(of options: RequestOptions) -> Int32 {
    if let known = optionsIndex[options] { return known }
    let index = Int32(self.options.count)
    self.options.append(options)
    optionsIndex[options] = index
    var shared = options
    shared.imageID = nil
    shared.sha256 = nil
    storingAlike.append(index)
    if shared != options { storingAlike[Int(index)] = self.index(of: shared) }
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
  private mutating func add(_ row: Plan.Row, _ base: Base) {
    let form = variants[Int(row.variant)].form
    if !(base.text.isEmpty && form.suffix.text.isEmpty) {
      let mark = base.mark(form.suffix, of: client)
      if let first = requests[mark], hasKey(first, client.key(base: base.text, form.suffix)) {
        meet(row, first: first)
        return
      }
      if let first = originals[mark], rows[Int(first)].source != row.source {
        collide(row, rows[Int(first)])
      }
      let key = client.key(base: base.text, form.suffix)
      if let fault = client.fault(ofKey: key, base: base.text) {
        refuse(row, fault)
        if settings.skipsInvalid { return }
      }
      requests[mark] = Int32(rows.count)
      noteStores(of: row, at: Int32(rows.count), base)
    }
    missingScale?.count(row, variants[Int(row.variant)])
    rows.append(row)
  }

  private func hasKey(_ index: Int32, _ key: String) -> Bool {
    let row = rows[Int(index)]
    let suffix = variants[Int(row.variant)].form.suffix
    return client.key(base: baseKey(of: row), suffix).utf8.elementsEqual(key.utf8)
  }

  /// Notes what a run will store. Originals beside the request's own entry must not be those of another
  /// source.
  private mutating func noteStores(of row: Plan.Row, at index: Int32, _ base: Base) {
    for store in stores(of: row) where !(base.text.isEmpty && store.suffix.text.isEmpty) {
      let mark = base.mark(store.suffix, of: client)
      stored.insert(mark)
      guard store.isOriginalBeside else { continue }
      let others = [originals[mark], requests[mark]].compactMap { $0 }
      if let other = others.first(where: { rows[Int($0)].source != row.source }) {
        collide(row, rows[Int(other)])
      }
      if originals[mark] == nil { originals[mark] = index }
    }
  }

  private mutating func stores(of row: Plan.Row) -> [Store] {
    let source = sources[Int(row.source)]
    let situation = Plan.Situation(
      variant: row.variant, options: storingAlike[Int(row.options)],
      sourceClass: client.sourceClass(url: source.url, scheme: source.scheme))
    if let known = storesOfSituation[situation] { return known }
    let variant = variants[Int(row.variant)]
    let storage = client.storage(
      of: chainRows[variant.chain].chain, form: variant.form, sourceClass: situation.sourceClass,
      options: options[Int(row.options)])
    storages[situation] = storage
    let entries = storage.entries.filter { $0.content == .original || variant.form.isDrawable }
    let stores = entries.map { entry in
      Store(
        suffix: entry.key,
        isOriginalBeside: entry.content == .original && entry.key != variant.form.suffix)
    }
    storesOfSituation[situation] = stores
    return stores
  }

  /// `row` asks for a key that a row before it has: the same rendition again, or another one.
  private mutating func meet(_ row: Plan.Row, first: Int32) {
    let known = rows[Int(first)]
    guard isSame(row, known) else { return collide(row, known) }
    // The same rendition twice is one; what only one of the two lines asks for still holds.
    let merged = index(of: options[Int(known.options)].merged(with: options[Int(row.options)]))
    guard merged != known.options else { return }
    rows[Int(first)].options = merged
    // The first of them may store less than both together.
    noteStores(of: rows[Int(first)], at: first, Base(baseKey(of: rows[Int(first)])))
  }

  private func isSame(_ a: Plan.Row, _ b: Plan.Row) -> Bool {
    let (first, second) = (variants[Int(a.variant)].form, variants[Int(b.variant)].form)
    return a.source == b.source && first.drawing == second.drawing && first.suffix == second.suffix
      && encoding(of: a) == encoding(of: b)
      // What is not drawn is not drawn from an embedded thumbnail either.
      && (first.drawing == .steps([]) || embedded(of: a) == embedded(of: b))
      && options[Int(a.options)].sha256 ?? options[Int(b.options)].sha256
        == options[Int(b.options)].sha256 ?? options[Int(a.options)].sha256
  }

  private func encoding(of row: Plan.Row) -> EncodingChoice {
    options[Int(row.options)].encoding ?? variants[Int(row.variant)].encoding ?? settings.encoding
  }

  private func embedded(of row: Plan.Row) -> EmbeddedUse {
    options[Int(row.options)].embedded ?? settings.embedded
  }

  private mutating func refuse(_ row: Plan.Row, _ fault: String) {
    let error = Diagnostic(
      .error, file: files[Int(row.file)], line: Int(row.line), column: 1,
      message: "\(settings.client) cannot cache this rendition: \(fault)")
    guard settings.skipsInvalid else { return errors.append(error) }
    skipped.add(.key, error)
  }

  private mutating func collide(_ row: Plan.Row, _ first: Plan.Row) {
    let place = "\(files[Int(first.file)]):\(first.line)"
    errors.append(
      Diagnostic(
        .error, file: files[Int(row.file)], line: Int(row.line), column: 1,
        message: "this rendition has the same cache key as another one, at \(place)",
        help: "an app would find one picture for both; give one of them its own id=, or remove it"))
  }

  private func baseKey(of row: Plan.Row) -> String {
    client.baseKey(
      url: sources[Int(row.source)].url, options: options[Int(row.options)], stripQuery: stripQuery)
  }
}
