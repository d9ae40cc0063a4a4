import Fetching
import NukeCache

/// What an app would give Nuke in a `URLRequest`.
extension ImageRequest {
  /// Header fields that are sent with the request. They are not part of any key.
  public var headers: [HTTPHeader] {
    get { userInfo[.headers] as? [HTTPHeader] ?? [] }
    set { userInfo[.headers] = newValue }
  }

  /// When the HTTP cache answers; the pipeline's own caches take no notice.
  public var httpCachePolicy: HTTPCachePolicy {
    get { userInfo[.httpCachePolicy] as? HTTPCachePolicy ?? .useProtocol }
    set { userInfo[.httpCachePolicy] = newValue }
  }

  /// The request as the loader sends it; nil without a URL.
  public var httpRequest: HTTPRequest? {
    url.map {
      HTTPRequest(
        url: $0.absoluteString, headers: headers,
        priority: HTTPRequest.Priority(rawValue: priority.rawValue) ?? .normal, cachePolicy: httpCachePolicy)
    }
  }
}

extension ImageRequest.UserInfoKey {
  fileprivate static let headers: Self = "preheat.headers"
  fileprivate static let httpCachePolicy: Self = "preheat.http-cache-policy"
}
