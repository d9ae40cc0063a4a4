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
    var entries: [Entry] = []
    for entry in answers.flatMap(\.entries) where !entries.contains(entry) { entries.append(entry) }
    func choice(_ chosen: (Int) -> Bool) -> Choice {
      let files = Set(entries.indices.filter(chosen).map { entries[$0].file })
      return Choice(
        hits: answers.reduce(0) { sum, answer in
          sum + (answer.entries.contains { files.contains($0.file) } ? answer.count : 0)
        }, bytes: entries.reduce(0) { $0 + (files.contains($1.file) ? $1.size : 0) }, entries: files.count)
    }
    var all: [Choice] = []
    if entries.count <= mostEntries {
      all = (1..<(1 << entries.count)).map { set in choice { set >> $0 & 1 == 1 } }
    } else {
      // One more at a time, the one that answers most for its bytes.
      var chosen: Set<Int> = []
      while chosen.count < entries.count {
        let last = all.last ?? .none
        let next = entries.indices.filter { !chosen.contains($0) }.max { a, b in
          gain(choice { chosen.contains($0) || $0 == a }, over: last)
            < gain(choice { chosen.contains($0) || $0 == b }, over: last)
        }
        guard let next else { break }
        chosen.insert(next)
        all.append(choice { chosen.contains($0) })
      }
    }
    all.sort { ($0.hits, $1.bytes) > ($1.hits, $0.bytes) }
    var best: [Choice] = []
    for choice in all where best.last.map({ choice.bytes < $0.bytes }) ?? true { best.append(choice) }
    return best.reversed()
  }

  private static func gain(_ choice: Choice, over last: Choice) -> Double {
    Double(choice.hits - last.hits) / Double(max(1, choice.bytes - last.bytes))
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
