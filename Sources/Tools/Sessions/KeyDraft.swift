import ClientKit
import JobFile
import Planning
import Syntax
import Text

/// A job in the making: lines that are written, planned, and taken out again where the plan has another key.
struct KeyDraft {
  struct Source: Hashable {
    var url: ByteText
    var id: ByteText?
  }

  /// What the key of a request says.
  struct Found: Sendable {
    var base: String
    /// The processors as a job spells them.
    var members: [String]
    var isDrawn: Bool

    init(_ reading: KeyReading, _ rows: [ProcessorRow]) {
      base = reading.base
      members = reading.calls.map(rows.text)
      isDrawn = !reading.hasUnknown
    }

    var text: String { members.joined(separator: " | ") }
  }

  private struct Named {
    var name: String
    var text: String
    var isDrawn: Bool
  }

  /// A row of `sources` with one of `chains`.
  struct Place: Hashable, Comparable {
    static let original: Int32 = -1

    var source: Int32
    var chain: Int32

    static func < (a: Place, b: Place) -> Bool { (a.source, a.chain) < (b.source, b.chain) }
  }

  /// A key and the place that makes it. A session has a million.
  private struct Item {
    var place: Place
    var key: ByteText
  }

  private let head: String
  var keyCount = 0
  var refusals: [KeyJob.Refusal] = []
  private var sources: [Source] = []
  private var numberOfSource: [Source: Int32] = [:]
  private var chains: [Named] = []
  private var numberOfChain: [ByteText: Int32] = [:]
  private var items: [Item] = []
  /// Words that no further chain can be called.
  private var taken: Set<String>
  /// The number that a name gets that is taken: thousands of chains begin alike.
  private var nextNumber: [String: Int] = [:]

  init(head: String, rows: [ProcessorRow], reserved: Set<String>) {
    self.head = head
    taken = reserved.union(rows.names)
  }

  mutating func add(_ source: Source, _ found: Found, keys: [String]) {
    let text = found.text
    guard QuotedText.holds(text), QuotedText.holds(source.url.text) else {
      refusals += keys.map { .init(key: $0, reason: KeyJob.Refusal.lineEnd) }
      return
    }
    let number = numberOfSource[source] ?? Int32(sources.count)
    if number == sources.count {
      numberOfSource[source] = number
      sources.append(source)
    }
    let place = Place(
      source: number, chain: found.members.isEmpty ? Place.original : chain(found, ByteText(text)))
    items += keys.map { Item(place: place, key: ByteText($0)) }
  }

  private mutating func chain(_ found: Found, _ text: ByteText) -> Int32 {
    if let known = numberOfChain[text] { return known }
    let number = Int32(chains.count)
    numberOfChain[text] = number
    chains.append(Named(name: name(of: found.members), text: text.text, isDrawn: found.isDrawn))
    return number
  }

  /// What a chain does, in a word: `resize-320`, `resize-44x44-circle`.
  private mutating func name(of members: [String]) -> String {
    let words = members.map { member in
      let name = member.prefix { $0 != "(" }
      // Names are shown; what is in a chain of the app's own may be the end of a URL.
      let arguments = URLRedaction.redacted(String(member.dropFirst(name.count)))
      if name == "custom" {
        return arguments.split { !$0.isLetter && !$0.isNumber }.last.map(String.init) ?? "own"
      }
      let value = arguments.drop { $0 != ":" }.dropFirst().drop { $0 == " " }
      let number = value.prefix { $0.isNumber || $0 == "x" || $0 == "." }
      return number.isEmpty ? String(name) : "\(name)-\(number)"
    }
    let plain = words.joined(separator: "-").unicodeScalars.filter {
      $0.isASCII && LineScanner.isName(UInt8($0.value))
    }
    let short = String(String.UnicodeScalarView(plain).prefix(48))
    let base = short.first?.isLetter == true ? short : "chain" + (short.isEmpty ? "" : "-\(short)")
    var (name, number) = (base, nextNumber[base] ?? 2)
    while !taken.insert(name).inserted { (name, number) = ("\(base)-\(number)", number + 1) }
    nextNumber[base] = number
    return name
  }

  // MARK: Text

  /// The job's text, and what its lines are.
  struct Written {
    var bytes: [UInt8] = []
    /// By the number of the line, from 1.
    private(set) var places: [Int: Place] = [:]
    private var count = 0

    mutating func add(_ text: String, _ place: Place? = nil) {
      count += 1
      if let place { places[count] = place } else { count += text.utf8.count { $0 == 10 } }
      bytes += text.utf8
      bytes.append(10)
    }
  }

  /// Maximum number of chains of a line; a line of a job has an end.
  private static let mostChains = 1000

  /// The job as far as it is known, source by source.
  private func written() -> Written {
    var written = Written()
    let used = used
    let count = Set(items.map(\.place.source)).count
    let counts = "\(NumberText.count(count, "source")), \(NumberText.count(used.count, "chain"))"
    let keys = NumberText.count(keyCount, "key")
    written.add("# Made by preheat \(PreheatVersion.text) of \(keys): \(counts).")
    written.add(head)
    for (index, chain) in chains.enumerated() where used.contains(Int32(index)) {
      let known = "its key is known, nothing is drawn"
      let note = chain.isDrawn ? "" : "   # custom(...) is not one of the client's own processors: \(known)"
      written.add("chain \(chain.name) = \(chain.text)\(note)", Place(source: -1, chain: Int32(index)))
    }
    if !used.isEmpty { written.add("") }
    forEachSource { own in
      var rest = chainNumbers(of: own)[...]
      while !rest.isEmpty {
        written.add(text(of: own, rest.prefix(Self.mostChains), \.name), own.first?.place)
        rest = rest.dropFirst(Self.mostChains)
      }
    }
    return written
  }

  private var used: Set<Int32> { Set(items.lazy.map(\.place.chain)).subtracting([Place.original]) }

  private func forEachSource(_ body: (ArraySlice<Item>) -> Void) {
    var rest = items[...]
    while let source = rest.first?.place.source {
      let own = rest.prefix { $0.place.source == source }
      body(own)
      rest = rest[own.endIndex...]
    }
  }

  /// Each once: a chain has a key for each scale.
  private func chainNumbers(of items: ArraySlice<Item>) -> [Int32] {
    var numbers: [Int32] = []
    for item in items where item.place.chain != numbers.last { numbers.append(item.place.chain) }
    return numbers
  }

  /// - Parameter spelling: how chains are written: by name, or in full.
  private func text(
    of items: ArraySlice<Item>, _ numbers: ArraySlice<Int32>, _ spelling: KeyPath<Named, String>
  ) -> String {
    let source = sources[Int(items.first?.place.source ?? 0)]
    let words = numbers.map { $0 < 0 ? "original" : chains[Int($0)][keyPath: spelling] }
    return JobWord.line(url: source.url.text, chains: words, id: source.id?.text)
  }

  // MARK: Proof

  /// Plans the job as it stands, and takes out what does not come out with its keys, until all does. One planning finds
  /// all that is wrong with it, or as many would be needed as there are lines.
  ///
  /// - Returns: the job's text, and what is wrong with the settings themselves.
  mutating func prove() -> (written: Written, diagnostics: Diagnostics) {
    (numberOfSource, numberOfChain) = ([:], [:])
    items.sort { $0.place < $1.place }
    var given = GivenSettings()
    given.errorsKept = .max
    while true {
      let written = written()
      // Without a line it would be no job.
      if items.isEmpty { return (written, Diagnostics()) }
      let (plan, findings) = Plan.make(.text(name: "(job)", bytes: written.bytes), given)
      guard let plan else {
        if refuse(findings, written) { continue }
        return (written, findings)
      }
      let wrong = places(plan, written)
      if wrong.isEmpty { return (written, Diagnostics()) }
      refuse { wrong.contains($0) ? "the job line made from it would have another key" : nil }
    }
  }

  /// Takes out what an error is about.
  private mutating func refuse(_ findings: Diagnostics, _ written: Written) -> Bool {
    var reasonsOfChains: [Int32: String] = [:]
    var reasonsOfLines: [Int32: String] = [:]
    for error in findings.sorted where error.severity == .error {
      guard let place = written.places[error.line] else { continue }
      if place.source < 0 {
        reasonsOfChains[place.chain] = reasonsOfChains[place.chain] ?? error.message
      } else {
        reasonsOfLines[place.source] = reasonsOfLines[place.source] ?? error.message
      }
    }
    // A line may be wrong only because its chain is.
    return reasonsOfChains.isEmpty
      ? refuse { reasonsOfLines[$0.source] } : refuse { reasonsOfChains[$0.chain] }
  }

  @discardableResult
  private mutating func refuse(_ reason: (Place) -> String?) -> Bool {
    let count = refusals.count
    items.removeAll { item in
      guard let reason = reason(item.place) else { return false }
      refusals.append(.init(key: item.key.text, reason: reason))
      return true
    }
    return refusals.count > count
  }

  /// The places that have other keys in a plan.
  private func places(_ plan: Plan, _ written: Written) -> Set<Place> {
    let numbers = Dictionary(chains.indices.map { (chains[$0].name, Int32($0)) }) { first, _ in first }
    let chainOfRow = plan.chains.rows.map { numbers[$0.label] ?? Place.original }
    var left = Dictionary(items.map { ($0.key, $0.place) }) { first, _ in first }
    var wrong: Set<Place> = []
    for source in plan.sources.indices {
      for row in plan.rows(ofSource: source) {
        guard var place = written.places[Int(row.line)] else { continue }
        place.chain = chainOfRow[plan.variants[Int(row.variant)].chain]
        if left.removeValue(forKey: ByteText(plan.key(of: row))) != place { wrong.insert(place) }
      }
    }
    return wrong.union(left.values)
  }

  // MARK: The job

  /// The job as it is handed out: the keys that are not in it are comments.
  ///
  /// - Parameters:
  ///   - setsAside: those of which nothing is drawn, too.
  ///   - listsLines: whether each of its lines is reported.
  mutating func finish(
    _ written: Written, for client: CacheClient, setsAside: Bool, listsLines: Bool
  ) -> KeyJob {
    let undrawn = used.filter { !chains[Int($0)].isDrawn }
    let aside = setsAside && !undrawn.isEmpty ? setAside(undrawn) : (text: "", keys: 0)
    let job = aside.keys > 0 ? self.written() : written
    var text = String(decoding: job.bytes, as: UTF8.self) + aside.text
    if !refusals.isEmpty {
      text += "\n# \(NumberText.count(refusals.count, "key")) that no line makes:\n"
      for refusal in refusals {
        text += "#     \(SafeText.escape(refusal.key, limit: 4096))\n"
        text += "#         \(SafeText.escape(refusal.reason, limit: 400))\n"
        if let line = refusal.proposal { text += "#         \(SafeText.escape(line, limit: 4096))\n" }
      }
    }
    var lines: [KeyJob.Line] = []
    var sourceCount = 0
    forEachSource { own in
      sourceCount += 1
      guard listsLines else { return }
      lines.append(
        KeyJob.Line(text: self.text(of: own, chainNumbers(of: own)[...], \.text), keys: own.map(\.key.text)))
    }
    return KeyJob(
      text: text, client: client, lines: lines, keyCount: keyCount, sourceCount: sourceCount,
      chainCount: used.count, undrawnCount: undrawn.count, setAsideCount: aside.keys, refusals: refusals)
  }

  /// Takes the chains of which nothing is drawn out of the lines.
  ///
  /// - Returns: them with their lines, as comments, and how many keys they make.
  private mutating func setAside(_ undrawn: Set<Int32>) -> (text: String, keys: Int) {
    let all = items
    items = all.filter { undrawn.contains($0.place.chain) }
    let keys = items.count
    var text =
      "\n# \(NumberText.count(keys, "key")) with processors of the app's own, of which nothing is drawn. To warm them, "
      + "give each chain a drawing with 'as'\n# and take its marks away.\n"
    for number in undrawn.sorted() {
      text += "# chain \(chains[Int(number)].name) = \(chains[Int(number)].text)\n"
    }
    forEachSource { own in text += "# \(self.text(of: own, chainNumbers(of: own)[...], \.name))\n" }
    items = all.filter { !undrawn.contains($0.place.chain) }
    return (text, keys)
  }
}
