import Text

/// The fewest bytes of a cache that still answer so many of a session's requests.
///
/// Entries of different sources have nothing to do with each other. Those of one source do: an original answers every
/// request of it, an entry of its own one. So each source has a list of best choices, and a choice is made for each
/// source such that all together take the fewest bytes.
package struct SmallestCache {
  package struct Target: Sendable, Hashable {
    /// Of the requests that came to the disk cache.
    package var percent: Int
    /// Nil where the whole cache answers fewer.
    package var size: Size?
    /// Whether fewer bytes may do: the session is too long to try all.
    package var isBound: Bool
  }

  package struct Size: Sendable, Hashable {
    package var bytes: Int
    package var entries: Int
  }

  package struct Entry: Sendable, Hashable {
    package var file: String
    package var size: Int
  }

  /// Requests of one key, and the entries of which any answers them.
  package struct Answer: Sendable {
    package var source: String
    package var count: Int
    package var entries: [Entry]
  }

  static let percents = [90, 95, 99]
  /// Sums that are tried at most; about a second.
  private static let mostSums = 300_000_000
  /// Sets of one source's entries that are tried: 2 to this power.
  private static let mostEntries = 12

  package private(set) var targets: [Target] = []

  /// A number of requests for a number of bytes.
  private struct Choice {
    var hits: Int
    var bytes: Int
    var entries: Int

    static let none = Choice(hits: 0, bytes: 0, entries: 0)

    func isDenser(than other: Choice) -> Bool {
      Double(hits) * Double(other.bytes) > Double(other.hits) * Double(bytes)
    }

    func plus(_ other: Choice, _ sign: Int = 1) -> Choice {
      Choice(
        hits: hits + sign * other.hits, bytes: bytes + sign * other.bytes,
        entries: entries + sign * other.entries)
    }
  }

  package init(_ answers: [Answer], requests: Int) {
    var groups: [ByteText: [Answer]] = [:]
    for answer in answers { groups[ByteText(answer.source), default: []].append(answer) }
    // In one order, so that of equal choices always the same is taken.
    let choices = groups.sorted { $0.key.text < $1.key.text }.map { Self.choices($0.value) }
    let reachable = choices.reduce(0) { $0 + ($1.last?.hits ?? 0) }
    let wanted = Self.percents.map { percent in (percent, (requests * percent + 99) / 100) }
    let most = wanted.map(\.1).filter { $0 <= reachable }.max() ?? 0
    let sums = choices.reduce(0) { $0 + $1.count } * (most + 1)
    let isBound = sums > Self.mostSums
    let best = isBound ? Self.greedy(choices, upTo: most) : Self.exact(choices, upTo: most)
    targets = wanted.map { percent, hits in
      Target(percent: percent, size: hits <= reachable ? best(hits) : nil, isBound: isBound)
    }
  }

  /// The best choices of one source's entries, ascending: none answers as many for fewer bytes.
  private static func choices(_ answers: [Answer]) -> [Choice] {
    var known: Set<Entry> = []
    let entries = answers.flatMap(\.entries).filter { known.insert($0).inserted }
    var all = entries.count <= mostEntries ? everySet(of: entries, answers) : oneByOne(entries, answers)
    all.sort { ($0.hits, $1.bytes) > ($1.hits, $0.bytes) }
    var best: [Choice] = []
    for choice in all where best.last.map({ choice.bytes < $0.bytes }) ?? true { best.append(choice) }
    return best.reversed()
  }

  private static func everySet(of entries: [Entry], _ answers: [Answer]) -> [Choice] {
    (1..<(1 << entries.count)).map { set in
      let files = Set(entries.indices.filter { set >> $0 & 1 == 1 }.map { entries[$0].file })
      return Choice(
        hits: answers.reduce(0) { sum, answer in
          sum + (answer.entries.contains { files.contains($0.file) } ? answer.count : 0)
        }, bytes: entries.reduce(0) { $0 + (files.contains($1.file) ? $1.size : 0) }, entries: files.count)
    }
  }

  /// One more at a time, the one that answers most for its bytes and of equals the first. What an entry would add only
  /// falls as others are chosen, so it is looked at again when it would be next, and not before.
  private static func oneByOne(_ entries: [Entry], _ answers: [Answer]) -> [Choice] {
    let number = Dictionary(entries.enumerated().map { ($1, $0) }) { first, _ in first }
    let entriesOfAnswer = answers.map { Array(Set($0.entries.compactMap { number[$0] })) }
    var answersOfEntry = [[Int]](repeating: [], count: entries.count)
    // Requests that each entry would answer and none does yet.
    var adds = [Int](repeating: 0, count: entries.count)
    for (answer, own) in entriesOfAnswer.enumerated() {
      for entry in own {
        answersOfEntry[entry].append(answer)
        adds[entry] += answers[answer].count
      }
    }
    var line = Candidates()
    for (entry, added) in adds.enumerated() { line.insert(entry, adding: added, for: entries[entry].size) }
    var isAnswered = [Bool](repeating: false, count: answers.count)
    var all: [Choice] = []
    var sum = Choice.none
    while let (entry, added) = line.takeFirst() {
      guard added == adds[entry] else {
        line.insert(entry, adding: adds[entry], for: entries[entry].size)
        continue
      }
      sum = sum.plus(Choice(hits: added, bytes: entries[entry].size, entries: 1))
      all.append(sum)
      for answer in answersOfEntry[entry] where !isAnswered[answer] {
        isAnswered[answer] = true
        for other in entriesOfAnswer[answer] { adds[other] -= answers[answer].count }
      }
    }
    return all
  }

  /// A binary heap of entries, on top the one that adds most for its bytes.
  private struct Candidates {
    private struct Candidate {
      var entry: Int
      var added: Int
      var gain: Double

      func goes(before other: Candidate) -> Bool {
        gain == other.gain ? entry < other.entry : gain > other.gain
      }
    }

    private var heap: [Candidate] = []

    mutating func insert(_ entry: Int, adding added: Int, for bytes: Int) {
      heap.append(Candidate(entry: entry, added: added, gain: Double(added) / Double(max(1, bytes))))
      var child = heap.count - 1
      while child > 0, heap[child].goes(before: heap[(child - 1) / 2]) {
        heap.swapAt(child, (child - 1) / 2)
        child = (child - 1) / 2
      }
    }

    mutating func takeFirst() -> (entry: Int, added: Int)? {
      guard let first = heap.first, let last = heap.popLast() else { return nil }
      if heap.isEmpty { return (first.entry, first.added) }
      heap[0] = last
      var parent = 0
      while true {
        let children = [2 * parent + 1, 2 * parent + 2].filter(heap.indices.contains)
        guard let child = children.min(by: { heap[$0].goes(before: heap[$1]) }),
          heap[child].goes(before: heap[parent])
        else { return (first.entry, first.added) }
        heap.swapAt(child, parent)
        parent = child
      }
    }
  }

  /// For each number of requests the fewest bytes: the multiple-choice knapsack, by sums.
  private static func exact(_ groups: [[Choice]], upTo most: Int) -> (Int) -> Size? {
    let none = Int.max
    var bytes = [Int](repeating: none, count: most + 1)
    var entries = [Int](repeating: 0, count: most + 1)
    bytes[0] = 0
    for group in groups {
      // Downwards, so that no source is chosen twice.
      for hits in stride(from: most, through: 1, by: -1) {
        for choice in group {
          // More requests than wanted are as good.
          let before = max(0, hits - choice.hits)
          guard bytes[before] < none else { continue }
          let sum = (bytes[before] + choice.bytes, entries[before] + choice.entries)
          if sum < (bytes[hits], entries[hits]) { (bytes[hits], entries[hits]) = sum }
        }
      }
    }
    let (sizes, counts) = (bytes, entries)
    return { hits in sizes[hits] < none ? Size(bytes: sizes[hits], entries: counts[hits]) : nil }
  }

  /// Sources one after the other, those that answer most for their bytes first.
  private static func greedy(_ groups: [[Choice]], upTo most: Int) -> (Int) -> Size? {
    let steps = groups.flatMap { group in
      zip(group, [.none] + group).map { $0.plus($1, -1) }
    }.sorted { $0.isDenser(than: $1) }
    return { wanted in
      var sum = Choice.none
      for step in steps where sum.hits < wanted { sum = sum.plus(step) }
      return Size(bytes: sum.bytes, entries: sum.entries)
    }
  }
}
