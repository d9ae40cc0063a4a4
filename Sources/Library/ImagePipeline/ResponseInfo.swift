import Fetching

/// What a server said beside the body.
public struct ResponseInfo: Sendable, Hashable {
  public var status: Int
  public var contentType: String?
  public var fields: [HTTPHeader]
  /// Whether the body came over the network or from the HTTP cache.
  public var source: HTTPResponse.Source

  init(_ response: HTTPResponse) {
    status = response.status
    contentType = response.contentType
    fields = response.fields
    source = response.source
  }
}
