import Signposts

/// What a worker, a host or the cache had under way, over the time of the run.
package struct RecordedLane: Sendable, Hashable, Codable {
  /// `worker 1`, `img.example.com`, `cache`.
  package var name: String
  /// `worker`, `host` or `cache`.
  package var kind: String
  package var count: Int
  /// Seconds in which it had anything to do.
  package var busy: Double
  /// Most at once.
  package var peak: Int
  /// Mean number under way in equal slices of the run's time.
  package var levels: [Double]

  package init(_ lane: SignpostLane) {
    switch lane.owner {
    case .worker(let number): (kind, name) = ("worker", "worker \(number)")
    case .host(let host): (kind, name) = ("host", host)
    case .cache: (kind, name) = ("cache", "cache")
    }
    count = lane.count
    busy = Double(lane.busy) / 1e9
    peak = lane.peak
    levels = lane.levels.map { ($0 * 100).rounded() / 100 }
  }
}
