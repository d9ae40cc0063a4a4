/// Why a download failed: a bounded code for machines, words and advice for people.
///
/// No text in it holds user info, a query or a header value.
public struct HTTPFailure: Error, Sendable, Hashable, CustomStringConvertible {
  public var code: Code
  public var message: String
  /// HTTP status where a response came.
  public var status: Int?
  /// A later run may succeed without any change of the job.
  public var isRetryable: Bool
  /// What had come of the body, where a later request can go on from there.
  public var partialBody: HTTPPartialBody?
  /// The tries before the last one, in their order.
  public var attempts: [HTTPAttempt] = []

  public enum Code: String, Sendable, Hashable, CaseIterable {
    case url = "fetch.url"
    case resolve = "fetch.resolve"
    case connect = "fetch.connect"
    case tls = "fetch.tls"
    case timeout = "fetch.timeout"
    case stalled = "fetch.stalled"
    case redirect = "fetch.redirect"
    case privateAddress = "fetch.private-address"
    case status = "fetch.status"
    case truncated = "fetch.truncated"
    case tooLarge = "fetch.too-large"
    /// The header fields of the answer are larger than allowed.
    case headers = "fetch.headers"
    case empty = "fetch.empty"
    case network = "fetch.network"
    case cancelled = "fetch.cancelled"
    /// Only the HTTP cache was allowed to answer, and it could not.
    case notCached = "fetch.not-cached"
  }

  public init(_ code: Code, _ message: String, status: Int? = nil, isRetryable: Bool = false) {
    self.code = code
    self.message = message
    self.status = status
    self.isRetryable = isRetryable
  }

  public var description: String { "\(message) (\(code.rawValue))" }
}
