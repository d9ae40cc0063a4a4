/// How many of something a worker, a host or the cache had under way, over the time of a run.
package struct SignpostLane: Hashable, Sendable, Comparable {
  package enum Owner: Hashable, Sendable {
    case worker(Int)
    case host(String)
    case cache
  }

  package var owner: Owner
  /// Renderings, exchanges or groups.
  package var count: Int
  /// Nanoseconds in which at least one was under way.
  package var busy: Int64
  /// Most at once.
  package var peak: Int
  /// Mean number under way in each slice of the time.
  package var levels: [Double]

  struct Stretch: Hashable, Sendable {
    var begin: Int64
    var end: Int64
  }

  init(owner: Owner, stretches: [Stretch], from start: Int64, to end: Int64, slices: Int) {
    self.owner = owner
    count = stretches.count
    var begins = stretches.map(\.begin)
    var ends = stretches.map { max($0.end, $0.begin + 1) }
    let overlap = Overlap(begins: &begins, ends: &ends)
    (busy, peak) = (overlap.busy, overlap.peak)
    let slices = max(1, slices)
    let width = max(1, Double(end - start) / Double(slices))
    var levels = [Double](repeating: 0, count: slices)
    for stretch in stretches {
      let first = min(max(0, Double(stretch.begin - start) / width), Double(slices))
      let last = min(max(first, Double(stretch.end - start) / width), Double(slices))
      for slice in Int(first)..<max(Int(first), min(slices, Int(last.rounded(.up)))) {
        levels[slice] += min(last, Double(slice + 1)) - max(first, Double(slice))
      }
    }
    self.levels = levels
  }

  package static func < (a: SignpostLane, b: SignpostLane) -> Bool {
    switch (a.owner, b.owner) {
    case (.worker(let first), .worker(let second)): first < second
    case (.host(let first), .host(let second)): (b.busy, first) < (a.busy, second)
    default: a.owner.rank < b.owner.rank
    }
  }
}

extension SignpostLane.Owner {
  /// The owner of the lane that an interval is drawn in; nil for parts of other intervals.
  init?(_ span: SignpostSpan) {
    switch (span.name, span.metadata[.worker], span.metadata[.host]) {
    case (.renderSource, .integer(let number), _): self = .worker(number)
    case (.loadImageData, _, .text(let host)): self = .host(host)
    case (.publishGroup, _, _): self = .cache
    default: return nil
    }
  }

  fileprivate var rank: Int {
    switch self {
    case .worker: 0
    case .host: 1
    case .cache: 2
    }
  }
}
