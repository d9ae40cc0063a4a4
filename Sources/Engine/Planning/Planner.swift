import ClientKit
import JobFile
import Pictures
import Syntax
import Text

/// Builds a ``Plan`` line by line.
struct Planner {
  private(set) var plan: Plan
  private var variants = VariantTable()
  /// Sources by their URLs.
  private var sourceIndex: [ByteText: Int32] = [:]
  /// Options by their hashes: the options themselves would take much room a second time.
  private var optionsIndex: [Int: Int32] = [:]
  /// Further rows of one key: their lines look up otherwise.
  private var twins: [KeyMark: [Int32]] = [:]
  /// Which row stores an original under another key than its own.
  private var originals: [KeyMark: Int32] = [:]
  /// The line that is being added.
  private var text: TextLine?
  /// Collisions, and keys that the client can do nothing with.
  private var errors: [Diagnostic] = []
  private var localKeys = Tally<JobLine>()
  /// Nil where the job names its scales.
  private var missingScale: Tally<Plan.Row>?

  /// Nil where the settings make no client.
  init?(settings: JobSettings) {
    guard let client = settings.makeClient() else { return nil }
    plan = Plan(
      settings: settings, stripQuery: QueryNames(settings.values[JobKey.stripQuery]),
      check: settings.values[JobKey.check], client: client)
    missingScale = settings.values.has(JobKey.scale.name) ? nil : Tally()
  }

  /// Collisions, keys that the client can do nothing with, those that no app will have, and a scale that is missing.
  var findings: [Diagnostic] {
    errors + [localKeys.warning, missingScale?.missingScale(plan), originalsAlone].compactMap { $0 }
  }

  /// A client's warning about a job of originals, at its first line.
  private var originalsAlone: Diagnostic? {
    guard let first = plan.rows.first, let lint = plan.client.lint(.originalsAlone, at: 0),
      plan.rows.allSatisfy({ plan.variants[Int($0.variant)].form.suffix == .original })
    else { return nil }
    return Diagnostic(
      .warning, file: plan.files[Int(first.file)], line: Int(first.line), column: 1, message: lint.message,
      help: lint.help)
  }

  /// Takes one line. `chains` is the table as far as the job has been read.
  mutating func add(_ line: JobLine, chains: ChainTable) {
    variants.resolve(chains, in: &plan)
    text = line.text
    // Its bytes are the reader's.
    defer { text = nil }
    let source = index(of: line.url, line.scheme)
    let file = fileIndex(line.file)
    let options = index(of: line.options)
    let baseKey = plan.client.baseKey(url: line.url, options: line.options, stripQuery: plan.stripQuery)
    if line.scheme == .file, line.options.imageID == nil, plan.client.isLocal(key: baseKey) {
      localKeys.note(line)
    }
    let (own, scale) = (line.options.settings, ownScale(baseKey))
    for chain in line.chains {
      for variant in variants.numbers(of: chain, own, scale: scale, in: &plan) {
        add(
          Plan.Row(
            source: source, variant: Int32(variant), options: options, file: file, line: Int32(line.line)),
          baseKey)
      }
    }
  }

  /// Groups renditions by source in the order in which sources first appear; those of a higher priority come first.
  mutating func finish(_ chains: ChainTable) {
    // What only reading needed makes room: for a million lines it is as much as the plan itself.
    (sourceIndex, optionsIndex, originals, twins) = ([:], [:], [:], [:])
    let order = sourceOrder()
    var rank = [Int32](repeating: 0, count: plan.sources.count)
    for (position, source) in order.enumerated() { rank[Int(source)] = Int32(position) }
    var firstRow = [Int](repeating: 0, count: plan.sources.count + 1)
    for row in plan.rows { firstRow[Int(rank[Int(row.source)]) + 1] += 1 }
    for index in firstRow.indices.dropFirst() { firstRow[index] += firstRow[index - 1] }
    for index in plan.rows.indices { plan.rows[index].source = rank[Int(plan.rows[index].source)] }
    // Nearly every job has them so; the job's order holds inside a source.
    plan.rows.sort { $0.source < $1.source }
    plan.firstRow = firstRow
    plan.chains = chains
    plan.sources = order.map { plan.sources[Int($0)] }
  }

  /// Sources by falling priority of their most urgent rendition, then as they came.
  private func sourceOrder() -> [Int32] {
    let order = plan.sources.indices.map(Int32.init)
    guard plan.options.contains(where: { $0.priority != plan.options.first?.priority }) else { return order }
    var priority = [Int](repeating: Int.min, count: plan.sources.count)
    for row in plan.rows {
      let value = plan.options[Int(row.options)].priority.rawValue
      priority[Int(row.source)] = max(priority[Int(row.source)], value)
    }
    return order.sorted { a, b in (-priority[Int(a)], a) < (-priority[Int(b)], b) }
  }

  /// A picture whose key names its scale has it, where the job names none.
  private func ownScale(_ baseKey: String) -> Double? {
    guard missingScale != nil, case .known(let scale) = plan.client.scale(ofKey: baseKey),
      plan.settings.scales != [scale]
    else { return nil }
    return scale
  }

  private mutating func index(of url: String, _ scheme: SourceScheme) -> Int32 {
    if let known = sourceIndex[ByteText(url)] { return known }
    let index = Int32(plan.sources.count)
    plan.sources.append(Plan.Source(url: url, scheme: scheme))
    sourceIndex[ByteText(url)] = index
    return index
  }

  private mutating func index(of options: RequestOptions) -> Int32 {
    let hash = options.hashValue
    if let known = optionsIndex[hash], plan.options[Int(known)] == options { return known }
    let index = Int32(plan.options.count)
    plan.options.append(options)
    optionsIndex[hash] = index
    var shared = options
    shared.imageID = nil
    shared.sha256 = nil
    plan.storingAlike.append(index)
    if shared != options { plan.storingAlike[Int(index)] = self.index(of: shared) }
    return index
  }

  private mutating func fileIndex(_ file: String) -> Int32 {
    if plan.files.last?.hasBytes(of: file) == true { return Int32(plan.files.count - 1) }
    if let known = plan.files.firstIndex(where: { $0.hasBytes(of: file) }) { return Int32(known) }
    plan.files.append(file)
    return Int32(plan.files.count - 1)
  }

  // MARK: - Same rendition or collision

  private mutating func add(_ row: Plan.Row, _ base: String) {
    let own = plan.variants[Int(row.variant)].form.suffix
    if !(base.isEmpty && own.text.isEmpty) {
      let key = plan.client.key(base: base, own)
      let mark = KeyMark(key)
      if let first = plan.keys[mark]?.row, hasKey(first, key) {
        meet(row, [first] + twins[mark, default: []], mark)
        return
      }
      let stores = stores(of: row)
      let taken = originals[mark].flatMap { plan.rows[Int($0)].source != row.source ? $0 : nil }
      if let other = taken ?? clash(of: row, stores, base) {
        collide(row, plan.rows[Int(other)])
        if plan.settings.given.isStream { return }
      }
      if let fault = plan.client(of: row).fault(ofKey: key, base: base) {
        let isSkipped = plan.settings.values[JobKey.skipInvalid]
        refuse(
          error(in: row, "\(plan.settings.client) cannot cache this rendition: \(fault)"), skips: isSkipped)
        if isSkipped { return }
      }
      plan.keys[mark, default: KeyUse()].row = Int32(plan.rows.count)
      noteStores(stores, of: row, at: Int32(plan.rows.count), base)
    }
    if plan.variants[Int(row.variant)].form.dependsOnScale { missingScale?.note(row) }
    plan.rows.append(row)
  }

  private func hasKey(_ index: Int32, _ key: String) -> Bool {
    let row = plan.rows[Int(index)]
    let suffix = plan.variants[Int(row.variant)].form.suffix
    return plan.client.key(base: plan.baseKey(of: row), suffix).hasBytes(of: key)
  }

  /// A row of another source under whose key `row` would store its original.
  private func clash(of row: Plan.Row, _ stores: [EntryRule], _ base: String) -> Int32? {
    let own = plan.variants[Int(row.variant)].form.suffix
    for store in stores where store.content == .original && store.key != own {
      if base.isEmpty, store.key.text.isEmpty { continue }
      let mark = KeyMark(plan.client.key(base: base, store.key))
      let others = [originals[mark], plan.keys[mark]?.row].compactMap { $0 }
      if let other = others.first(where: { plan.rows[Int($0)].source != row.source }) { return other }
    }
    return nil
  }

  /// Notes what a run will store.
  private mutating func noteStores(
    _ stores: [EntryRule], of row: Plan.Row, at index: Int32, _ base: String
  ) {
    let own = plan.variants[Int(row.variant)].form.suffix
    for store in stores where !(base.isEmpty && store.key.text.isEmpty) {
      let mark = KeyMark(plan.client.key(base: base, store.key))
      plan.keys[mark, default: KeyUse()].isStored = true
      if store.key != own, store.content == .original, originals[mark] == nil { originals[mark] = index }
    }
  }

  private mutating func stores(of row: Plan.Row) -> [EntryRule] {
    let situation = plan.situation(of: row)
    if let known = plan.storages[situation] { return known.stores }
    let judged = plan.judgedStorage(of: row)
    plan.storages[situation] = judged
    return judged.stores
  }

  /// `row` asks for a key that a row before it has: the same rendition again, or another one.
  /// - Parameter rows: those that have it: what is stored is the same of all, what is looked up is not.
  private mutating func meet(_ row: Plan.Row, _ rows: [Int32], _ mark: KeyMark) {
    let known = plan.rows[Int(rows[0])]
    guard isSame(row, known) else { return collide(row, known) }
    // Settings of a line may give one key several files, and an app that needs them has them all.
    let rows = rows.filter { isOneFile(plan.rows[Int($0)], row) }
    guard let known = rows.first.map({ plan.rows[Int($0)] }) else { return append(row, mark) }
    guard let wider = wider(known, row) else { return collide(row, known) }
    // The same rendition twice is one; what only one of the two lines asks for still holds.
    let own = plan.options[Int(row.options)]
    var options = plan.options[Int(known.options)].merged(with: own)
    options.settings = plan.options[Int(wider.options)].settings
    let equal = rows.first { lookups(of: plan.rows[Int($0)]) == lookups(of: row) }
    for place in rows {
      var both = plan.rows[Int(place)]
      let read = plan.options[Int(both.options)]
      let reads = place == equal ? read.merged(with: own) : read
      (both.options, both.variant) = (index(of: options.reading(as: reads)), wider.variant)
      if both == plan.rows[Int(place)] { continue }
      // The first of them may store less than both together.
      let (stores, base) = (stores(of: both), plan.baseKey(of: both))
      if let other = clash(of: both, stores, base) {
        collide(plan.settings.given.isStream ? row : both, plan.rows[Int(other)])
        if plan.settings.given.isStream { return }
      }
      plan.rows[Int(place)] = both
      noteStores(stores, of: both, at: place, base)
    }
    guard equal == nil else { return }
    var twin = row
    (twin.options, twin.variant) = (index(of: options.reading(as: own)), wider.variant)
    append(twin, mark)
  }

  private mutating func append(_ twin: Plan.Row, _ mark: KeyMark) {
    twins[mark, default: []].append(Int32(plan.rows.count))
    noteStores(stores(of: twin), of: twin, at: Int32(plan.rows.count), plan.baseKey(of: twin))
    plan.rows.append(twin)
  }

  private func isOneFile(_ a: Plan.Row, _ b: Plan.Row) -> Bool {
    let clients = [a, b].map { plan.variants[Int($0.variant)].client }
    if clients[0] == clients[1] { return true }
    let names = [a, b].map { plan.client(of: $0).fileNames(forKey: plan.key(of: $0)) }
    return names[0] == names[1]
  }

  private func lookups(of row: Plan.Row) -> [KeySuffix] { plan.judgedStorage(of: row).storage.lookups }

  /// The one of two rows of one key that stores all that both do, where their lines have settings of their own; nil
  /// where neither does.
  private mutating func wider(_ a: Plan.Row, _ b: Plan.Row) -> Plan.Row? {
    let clients = [a, b].map { plan.variants[Int($0.variant)].client }
    if clients[0] == clients[1] { return a }
    let stores = [stores(of: a), stores(of: b)]
    let storages = [plan.judgedStorage(of: a), plan.judgedStorage(of: b)]
    guard storages[0].animated == storages[1].animated else { return nil }
    func covers(_ x: Int, _ y: Int) -> Bool {
      stores[y].allSatisfy { rule in stores[x].contains { $0 == rule } }
    }
    if covers(0, 1), covers(1, 0) {
      return storages[1].storage.lookups.count > storages[0].storage.lookups.count ? b : a
    }
    return covers(0, 1) ? a : covers(1, 0) ? b : nil
  }

  private func isSame(_ a: Plan.Row, _ b: Plan.Row) -> Bool {
    let (first, second) = (plan.variants[Int(a.variant)].form, plan.variants[Int(b.variant)].form)
    return a.source == b.source && first.drawing == second.drawing && first.suffix == second.suffix
      && encoding(of: a) == encoding(of: b)
      // What is not drawn is not drawn from an embedded thumbnail either.
      && (first.drawing == .steps([]) || embedded(of: a) == embedded(of: b))
      && plan.options[Int(a.options)].sha256 ?? plan.options[Int(b.options)].sha256
        == plan.options[Int(b.options)].sha256 ?? plan.options[Int(a.options)].sha256
  }

  private func encoding(of row: Plan.Row) -> EncodingChoice {
    plan.encoding(of: plan.variants[Int(row.variant)], plan.options[Int(row.options)])
  }

  private func embedded(of row: Plan.Row) -> EmbeddedUse {
    plan.options[Int(row.options)].embedded ?? plan.settings.embedded
  }

  /// A stream goes on without the second of two renditions.
  private mutating func refuse(_ error: Diagnostic, skips: Bool) {
    if skips { plan.skipped.add(.key, error) } else { errors.append(error) }
  }

  private mutating func collide(_ row: Plan.Row, _ first: Plan.Row) {
    let (variant, other) = (plan.variants[Int(row.variant)], plan.variants[Int(first.variant)])
    let isOneLine = row.line == first.line && row.file == first.file
    if isOneLine, variant.chain == other.chain {
      let scales = [other, variant].map { NumberText.plain($0.form.scale) }.joined(separator: " and ")
      return refuse(
        error(
          in: row, "this chain has one cache key at the scales \(scales), and other pixels at each",
          help: "write its sizes in pixels, or give the job one scale"),
        skips: plan.settings.given.isStream)
    }
    let place = isOneLine ? "in this line" : "at \(plan.files[Int(first.file)]):\(first.line)"
    refuse(
      error(
        in: row, "this rendition has the same cache key as another one, \(place)",
        help: "an app would find one picture for both; give one of them its own id=, or remove it"),
      skips: plan.settings.given.isStream)
  }

  private func error(in row: Plan.Row, _ message: String, help: String? = nil) -> Diagnostic {
    let (file, number) = (plan.files[Int(row.file)], Int(row.line))
    let known = text.flatMap { $0.number == number && $0.file.hasBytes(of: file) ? $0 : nil }
    let line = known ?? TextLine(file: file, number: number, bytes: [])
    return line.diagnostic(.error, Mistake(line.bytes.startIndex, message, help: help))
  }
}
