import Signposts

/// What a worker, a host or the cache had under way, over the time of the run.
public struct RecordedLane: Sendable, Hashable, Codable {
  /// `worker 1`, `img.example.com`, `cache`.
  public var name: String
  /// `worker`, `host` or `cache`.
  public var kind: String
  public var count: Int
  /// Seconds in which it had anything to do.
  public var busy: Double
  /// Most at once.
  public var peak: Int
  /// Mean number under way in equal slices of the run's time.
  public var levels: [Double]

  public init(_ lane: SignpostLane) {
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
