import ClientKit
import JobFile
import Planning
import Syntax
import Text

/// A job in the making: lines that are written, planned, and taken out again where the plan has another key.
struct KeyDraft {
  let head: String
  private let rows: [ProcessorRow]
  /// Words that no chain can be called.
  private let taken: Set<String>
  var keyCount = 0
  private(set) var refusals: [KeyJob.Refusal] = []
  private var lines: [Line] = []
  private var lineOfSource: [Source: Int] = [:]
  private var chains: [Named] = []
  private var chainOfText: [ByteText: Int] = [:]

  private struct Source: Hashable {
    var url: ByteText
    var id: ByteText?
  }

  private struct Line {
    var url: String
    var id: String?
    var items: [Item] = []
  }

  /// One chain of a line and the keys that it is to make.
  private struct Item {
    /// Row of `chains`; nil for the original.
    var chain: Int?
    var keys: Set<ByteText>
  }

  private struct Named {
    var name: String
    var text: String
    var isDrawn: Bool
  }

  init(head: String, rows: [ProcessorRow], reserved: Set<String>) {
    self.head = head
    self.rows = rows
    taken = reserved.union(rows.names)
  }

  mutating func refuse(_ refusal: KeyJob.Refusal) { refusals.append(refusal) }

  mutating func add(_ url: String, _ id: String?, _ reading: KeyReading, keys: [String]) {
    guard QuotedText.holds(rows.text(reading.calls)), QuotedText.holds(url) else {
      for key in keys { refuse(.init(key: key, reason: KeyJob.Refusal.lineEnd)) }
      return
    }
    let source = Source(url: ByteText(url), id: id.map { ByteText($0) })
    let line = lineOfSource[source] ?? lines.count
    if line == lines.count {
      lineOfSource[source] = line
      lines.append(Line(url: url, id: id))
    }
    let chain = reading.calls.isEmpty ? nil : index(of: reading)
    if let item = lines[line].items.firstIndex(where: { $0.chain == chain }) {
      lines[line].items[item].keys.formUnion(keys.map { ByteText($0) })
    } else {
      lines[line].items.append(Item(chain: chain, keys: Set(keys.map { ByteText($0) })))
    }
  }

  private mutating func index(of reading: KeyReading) -> Int {
    let text = ByteText(rows.text(reading.calls))
    if let known = chainOfText[text] { return known }
    chainOfText[text] = chains.count
    chains.append(Named(name: "", text: text.text, isDrawn: !reading.hasUnknown))
    chains[chains.count - 1].name = name(of: reading.calls.map(rows.text))
    return chains.count - 1
  }

  // MARK: Names

  private var names: Set<String> = []

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
    var name = base
    var number = taken.contains(base) ? 1 : 2
    while taken.contains(name) || !names.insert(name).inserted {
      name = "\(base)-\(number)"
      number += 1
    }
    return name
  }

  // MARK: Proof

  /// Plans the job as it stands, and takes out what does not come out with its keys, until all does.
  ///
  /// - Returns: what is wrong with the settings themselves.
  mutating func prove() -> Diagnostics {
    // Without a line it would be no job.
    while lines.contains(where: { !$0.items.isEmpty }) {
      let written = written()
      let (plan, findings) = Plan.make(.text(name: "(job)", bytes: Array(written.text.utf8)))
      guard let plan else {
        guard takeOut(findings, written) else { return findings }
        continue
      }
      if isProved(plan, written) { break }
    }
    return Diagnostics()
  }

  private mutating func takeOut(_ findings: Diagnostics, _ written: Written) -> Bool {
    let errors = findings.sorted.filter { $0.severity == .error }
    var isChanged = false
    for finding in errors {
      guard let chain = written.chainOfNumber[finding.line] else { continue }
      for line in lines.indices {
        isChanged = refuse(itemsOf: line, finding.message) { $0.chain == chain } || isChanged
      }
    }
    // A line may be wrong only because its chain is.
    if isChanged { return true }
    for finding in errors {
      guard let line = written.lineOfNumber[finding.line] else { continue }
      isChanged = refuse(itemsOf: line, finding.message) { _ in true } || isChanged
    }
    return isChanged
  }

  @discardableResult
  private mutating func refuse(itemsOf line: Int, _ reason: String, where isWrong: (Item) -> Bool) -> Bool {
    let wrong = lines[line].items.filter(isWrong)
    lines[line].items.removeAll(where: isWrong)
    for key in wrong.flatMap(\.keys).map(\.text).sorted() { refuse(.init(key: key, reason: reason)) }
    return !wrong.isEmpty
  }

  private mutating func isProved(_ plan: Plan, _ written: Written) -> Bool {
    struct Place: Hashable {
      var line: Int
      var chain: String
    }
    var planned: [Place: Set<ByteText>] = [:]
    for rendition in plan.renditions {
      guard let line = written.lineOfNumber[rendition.line] else { continue }
      planned[Place(line: line, chain: rendition.chain), default: []].insert(ByteText(rendition.key))
    }
    var isProved = true
    for line in lines.indices {
      let chains = chains
      isProved =
        !refuse(itemsOf: line, "the job line made from it would have another key") { item in
          planned[Place(line: line, chain: item.chain.map { chains[$0].name } ?? "original")] != item.keys
        } && isProved
    }
    return isProved
  }

  // MARK: Text

  /// The job's text, and what its lines are.
  private struct Written {
    var text = ""
    var lineOfNumber: [Int: Int] = [:]
    var chainOfNumber: [Int: Int] = [:]
    private var number = 1

    mutating func add(_ text: String, line: Int? = nil, chain: Int? = nil) {
      lineOfNumber[number] = line
      chainOfNumber[number] = chain
      self.text += text + "\n"
      number += text.utf8.count { $0 == 10 } + 1
    }
  }

  /// Rows of `chains` that a line has.
  private var used: Set<Int> { Set(lines.flatMap { $0.items.compactMap(\.chain) }) }

  private func written() -> Written {
    let used = used
    var written = Written()
    let counts = [
      NumberText.count(lines.count { !$0.items.isEmpty }, "source"), NumberText.count(used.count, "chain"),
    ]
    written.add(
      "# Made by preheat \(PreheatVersion.text) job --from of \(NumberText.count(keyCount, "key")): \(counts.joined(separator: ", "))."
    )
    written.add(head)
    for (index, chain) in chains.enumerated() where used.contains(index) {
      let known = "its key is known, nothing is drawn"
      let note = chain.isDrawn ? "" : "   # custom(...) is not one of the client's own processors: \(known)"
      written.add("chain \(chain.name) = \(chain.text)\(note)", chain: index)
    }
    if !used.isEmpty { written.add("") }
    for (index, line) in lines.enumerated() where !line.items.isEmpty {
      written.add(text(of: line, \.name), line: index)
    }
    return written
  }

  /// - Parameter spelling: how chains are written: by name, or in full.
  private func text(of line: Line, _ spelling: KeyPath<Named, String>) -> String {
    var options = RequestOptions()
    options.imageID = line.id
    let words = line.items.map { $0.chain.map { chains[$0][keyPath: spelling] } ?? "original" }
    return JobLineText.line(url: line.url, chains: words, options: options)
  }

  /// The job as it is handed out: the keys that are not in it are comments.
  var job: KeyJob {
    var text = written().text
    if !refusals.isEmpty {
      text += "\n# \(NumberText.count(refusals.count, "key")) that no line makes:\n"
      for refusal in refusals {
        text += "#     \(SafeText.escape(refusal.key, limit: 4096))\n"
        text += "#         \(SafeText.escape(refusal.reason, limit: 400))\n"
        if let line = refusal.proposal { text += "#         \(SafeText.escape(line, limit: 4096))\n" }
      }
    }
    let used = used
    let made = lines.filter { !$0.items.isEmpty }.map { line in
      KeyJob.Line(text: self.text(of: line, \.text), keys: line.items.flatMap { $0.keys.map(\.text) })
    }
    return KeyJob(
      text: text, lines: made, keyCount: keyCount, sourceCount: made.count, chainCount: used.count,
      undrawnCount: used.count { !chains[$0].isDrawn }, refusals: refusals)
  }
}
