/// One GET. Redirects are followed within the loader's limits.
public struct HTTPRequest: Sendable, Hashable {
  public var url: String
  /// Sent to the host of `url` only, never to another one after a redirect.
  public var headers: [HTTPHeader]
  public var priority: Priority
  /// What an ``HTTPCache`` may do for it; a loader without one takes no notice.
  public var cachePolicy: HTTPCachePolicy

  public enum Priority: Int, Sendable, Hashable, Comparable, CaseIterable {
    case veryLow, low, normal, high, veryHigh

    public static func < (a: Priority, b: Priority) -> Bool { a.rawValue < b.rawValue }
  }

  public init(
    url: String, headers: [HTTPHeader] = [], priority: Priority = .normal,
    cachePolicy: HTTPCachePolicy = .useProtocol
  ) {
    self.url = url
    self.headers = headers
    self.priority = priority
    self.cachePolicy = cachePolicy
  }
}
