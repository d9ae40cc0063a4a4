import ClientKit
import JobFile
import Planning
import Syntax
import Text

/// A job in the making: lines that are written, planned, and taken out again where the plan has another key.
struct KeyDraft {
  let head: String
  /// Words that no chain can be called.
  private let taken: Set<String>
  var keyCount = 0
  var refusals: [KeyJob.Refusal] = []
  var lines: [Line] = []
  /// Emptied before the plans, which need the room.
  var lineOfSource: [Source: Int] = [:]
  var chains: [Named] = []
  private var chainOfText: [ByteText: Int] = [:]

  struct Source: Hashable {
    var url: ByteText
    var id: ByteText?
  }

  struct Line {
    var url: String
    var id: String?
    /// A hash of what its keys begin with.
    var base: Int
    var items: [Item] = []
    /// Where each chain is in `items`, once they are many.
    var places: [Int32: Int] = [:]

    /// Maximum number of items that are looked through one by one.
    private static let few = 16

    mutating func add(_ key: ByteText, of chain: Int32) {
      let place = places.isEmpty ? items.firstIndex { $0.chain == chain } : places[chain]
      if let place { return items[place].add(key) }
      items.append(Item(chain: chain, key: key))
      if places.isEmpty, items.count > Self.few {
        places = Dictionary(uniqueKeysWithValues: items.enumerated().map { ($1.chain, $0) })
      } else if !places.isEmpty {
        places[chain] = items.count - 1
      }
    }
  }

  /// One chain of a line and the keys that it is to make. A session has a million.
  struct Item {
    /// Row of `chains`, or ``original``.
    var chain: Int32
    var key: ByteText
    /// Those at the other scales.
    var others: Set<ByteText> = []

    static let original: Int32 = -1

    var keys: [String] { [key.text] + others.map(\.text) }

    mutating func add(_ key: ByteText) {
      if key != self.key { others.insert(key) }
    }

    func has(_ keys: Set<ByteText>) -> Bool {
      keys.count == others.count + 1 && keys.contains(key) && others.isSubset(of: keys)
    }
  }

  struct Named {
    var name: String
    var text: String
    var isDrawn: Bool
  }

  init(head: String, rows: [ProcessorRow], reserved: Set<String>) {
    self.head = head
    taken = reserved.union(rows.names)
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

  /// - Returns: what is refused of it.
  mutating func add(_ url: String, _ id: String?, _ found: Found, keys: [String]) -> [KeyJob.Refusal] {
    let text = found.text
    guard QuotedText.holds(text), QuotedText.holds(url) else {
      return keys.map { .init(key: $0, reason: KeyJob.Refusal.lineEnd) }
    }
    let source = Source(url: ByteText(url), id: id.map { ByteText($0) })
    let line = lineOfSource[source] ?? lines.count
    if line == lines.count {
      lineOfSource[source] = line
      lines.append(Line(url: url, id: id, base: ByteText(found.base).hashValue))
    }
    let chain = found.members.isEmpty ? Item.original : Int32(index(of: found, ByteText(text)))
    for key in keys { lines[line].add(ByteText(key), of: chain) }
    return []
  }

  private mutating func index(of found: Found, _ text: ByteText) -> Int {
    if let known = chainOfText[text] { return known }
    chainOfText[text] = chains.count
    chains.append(Named(name: name(of: found.members), text: text.text, isDrawn: found.isDrawn))
    return chains.count - 1
  }

  // MARK: Names

  private var names: Set<String> = []
  /// The number that a name gets that is taken: thousands of chains begin alike.
  private var nextNumber: [String: Int] = [:]

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
    if !taken.contains(base), names.insert(base).inserted { return base }
    var number = nextNumber[base] ?? (taken.contains(base) ? 1 : 2)
    defer { nextNumber[base] = number }
    while true {
      let name = "\(base)-\(number)"
      number += 1
      if !taken.contains(name), names.insert(name).inserted { return name }
    }
  }

  // MARK: Text

  /// The job's text, and what its lines are.
  struct Written {
    var bytes: [UInt8] = []
    /// By the number of the line, from 1; -1 for neither.
    private var places: [(line: Int32, chain: Int32)] = [(-1, -1)]

    mutating func add(_ text: String, line: Int = -1, chain: Int = -1) {
      for _ in 0...text.utf8.count(where: { $0 == 10 }) { places.append((Int32(line), Int32(chain))) }
      bytes += text.utf8
      bytes.append(10)
    }

    /// Rows of ``KeyDraft/lines`` and ``KeyDraft/chains``.
    subscript(number: Int) -> (line: Int, chain: Int32) {
      places.indices.contains(number) ? (Int(places[number].line), places[number].chain) : (-1, -1)
    }
  }

  /// Maximum number of chains of a line; a line of a job has an end.
  private static let mostChains = 1000

  /// Rows of `chains` that these lines have.
  func used(_ part: some Sequence<Int>) -> Set<Int32> {
    var used: Set<Int32> = []
    for line in part {
      for item in lines[line].items where item.chain >= 0 { used.insert(item.chain) }
    }
    return used
  }

  /// The job of these lines; of all of them it is the one that is handed out.
  func written(_ part: some Collection<Int>) -> Written {
    let used = used(part)
    var written = Written()
    let sources = NumberText.count(part.count { !lines[$0].items.isEmpty }, "source")
    let counts = "\(sources), \(NumberText.count(used.count, "chain"))"
    let keys = NumberText.count(keyCount, "key")
    written.add("# Made by preheat \(PreheatVersion.text) of \(keys): \(counts).")
    written.add(head)
    for (index, chain) in chains.enumerated() where used.contains(Int32(index)) {
      let known = "its key is known, nothing is drawn"
      let note = chain.isDrawn ? "" : "   # custom(...) is not one of the client's own processors: \(known)"
      written.add("chain \(chain.name) = \(chain.text)\(note)", chain: index)
    }
    if !used.isEmpty { written.add("") }
    for index in part {
      var rest = lines[index].items[...]
      while !rest.isEmpty {
        written.add(text(of: lines[index], rest.prefix(Self.mostChains), \.name), line: index)
        rest = rest.dropFirst(Self.mostChains)
      }
    }
    return written
  }

  /// - Parameter spelling: how chains are written: by name, or in full.
  func text(of line: Line, _ items: ArraySlice<Item>, _ spelling: KeyPath<Named, String>) -> String {
    var options = RequestOptions()
    options.imageID = line.id
    let words = items.map { $0.chain < 0 ? "original" : chains[Int($0.chain)][keyPath: spelling] }
    return JobLineText.line(url: line.url, chains: words, options: options)
  }

  /// The job as it is handed out: the keys that are not in it are comments.
  ///
  /// - Parameters:
  ///   - setsAside: those of which nothing is drawn, too.
  ///   - isWritten: whether its text is needed.
  mutating func finish(for client: CacheClient, setsAside: Bool, isWritten: Bool) -> KeyJob {
    let undrawn = used(lines.indices).count { !chains[Int($0)].isDrawn }
    let aside = setsAside ? setAside() : (text: "", keys: 0)
    var text = isWritten ? String(decoding: written(lines.indices).bytes, as: UTF8.self) : ""
    if isWritten { text += aside.text }
    if isWritten, !refusals.isEmpty {
      text += "\n# \(NumberText.count(refusals.count, "key")) that no line makes:\n"
      for refusal in refusals {
        text += "#     \(SafeText.escape(refusal.key, limit: 4096))\n"
        text += "#         \(SafeText.escape(refusal.reason, limit: 400))\n"
        if let line = refusal.proposal { text += "#         \(SafeText.escape(line, limit: 4096))\n" }
      }
    }
    let used = used(lines.indices)
    var made: [KeyJob.Line] = []
    for index in lines.indices where !lines[index].items.isEmpty {
      let line = lines[index]
      made.append(
        KeyJob.Line(text: self.text(of: line, line.items[...], \.text), keys: line.items.flatMap(\.keys)))
      // A million items have no room beside their lines.
      lines[index].items = []
    }
    return KeyJob(
      text: text, client: client, lines: made, keyCount: keyCount, sourceCount: made.count,
      chainCount: used.count, undrawnCount: undrawn, setAsideCount: aside.keys, refusals: refusals)
  }
}
