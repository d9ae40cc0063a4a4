/// What the data cache gives for a request.
public enum LookupOutcome: Hashable, Sendable {
  /// The request's own entry: nothing is left to do but to decode it.
  case exact(KeyPart)
  /// An entry from earlier in the chain: the device makes the rest on every launch.
  case partial(KeyPart)
  case miss

  public var key: KeyPart? {
    switch self {
    case .exact(let key), .partial(let key): key
    case .miss: nil
    }
  }
}
