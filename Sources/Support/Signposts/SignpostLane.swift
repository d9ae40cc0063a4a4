/// How many of something a worker, a host or the cache had under way, over the time of a run.
package struct SignpostLane: Hashable, Sendable, Codable {
  struct Owner: Hashable, Sendable {
    /// In the order in which lanes are shown.
    enum Kind: Int, Sendable {
      case worker, host, cache
    }

    var kind: Kind
    var name: String
    /// That of a worker.
    var number = 0
  }

  /// `worker 1`, `img.example.com`, `cache`.
  package var name: String
  /// `worker`, `host` or `cache`.
  package var kind: String
  /// Renderings, exchanges or groups.
  package var count: Int
  /// Seconds in which at least one was under way.
  package var busy: Double
  /// Most at once.
  package var peak: Int
  /// Mean number under way in equal slices of the time, in hundredths.
  package var levels: [Double]

  init(owner: Owner, stretches: [Range<Int64>], from start: Int64, to end: Int64, slices: Int) {
    (name, kind) = (owner.name, "\(owner.kind)")
    count = stretches.count
    var begins = stretches.map(\.lowerBound)
    var ends = stretches.map { max($0.upperBound, $0.lowerBound + 1) }
    let overlap = Overlap(begins: &begins, ends: &ends)
    (busy, peak) = (Double(overlap.busy) / 1e9, overlap.peak)
    let slices = max(1, slices)
    let width = max(1, Double(end - start) / Double(slices))
    var levels = [Double](repeating: 0, count: slices)
    for stretch in stretches {
      let first = min(max(0, Double(stretch.lowerBound - start) / width), Double(slices))
      let last = min(max(first, Double(stretch.upperBound - start) / width), Double(slices))
      for slice in Int(first)..<max(Int(first), min(slices, Int(last.rounded(.up)))) {
        levels[slice] += min(last, Double(slice + 1)) - max(first, Double(slice))
      }
    }
    self.levels = levels.map { ($0 * 100).rounded() / 100 }
  }
}

extension SignpostLane.Owner {
  /// The owner of the lane that an interval is drawn in; nil for parts of other intervals.
  init?(_ span: SignpostSpan) {
    switch (span.name, span.metadata[.worker], span.metadata[.host]) {
    case (.renderSource, .integer(let number), _):
      self.init(kind: .worker, name: "worker \(number)", number: number)
    case (.loadImageData, _, .text(let host)): self.init(kind: .host, name: host)
    case (.publishGroup, _, _): self.init(kind: .cache, name: "cache")
    default: return nil
    }
  }
}
