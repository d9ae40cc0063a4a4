/// What the statistics of a log can be split by.
public enum SignpostGrouping: String, Hashable, Sendable, CaseIterable {
  case host, chain, worker

  var key: SignpostKey {
    switch self {
    case .host: .host
    case .chain: .chain
    case .worker: .worker
    }
  }
}
