import CCurl
import Text

/// What is known of an exchange after its end, as plain values.
struct TransferOutcome: Sendable {
  var result: TransferResult
  /// 0 when no answer came.
  var status: Int
  var contentType: String?
  var etag: String?
  var lastModified: String?
  var retryAfter: String?
  var date: String?
  /// Where a redirect leads, absolute.
  var redirect: String?
  var isChunked = false
  var isHTTP1 = true
  /// `Content-Length`, if the answer had one.
  var announcedLength: Int64?
  /// Body bytes as they came, before decoding and before the cut at the announced length.
  var receivedLength: Int64 = 0
  /// Bytes of the decoded body.
  var bodyCount = 0
  /// What it was allowed to have.
  var maxBodyBytes = Int.max
  var seconds: Double = 0
  /// TLS included, so a time-out after it is the server's silence.
  var wasConnected = false
  /// The last address that was refused, if no other was tried.
  var refusedAddress: IPAddress?
  /// libcurl's words. May hold host names, so it is used where they are wanted only.
  var detail = ""

  /// Nothing said where the body ends, or it went on past the end that was announced.
  ///
  /// A chunked body and an HTTP/2 stream have an end of their own.
  var isLengthUnverified: Bool {
    guard isHTTP1, !isChunked else { return false }
    guard let announcedLength else { return true }
    return receivedLength > announcedLength
  }

  /// What it shows about the host; `nil` when nothing.
  var health: HostHealth? {
    if status > 0, result != .timeout { return .reached }
    switch result {
    case .resolve, .handshake: return .unreachable
    case .connect: return refusedAddress == nil ? .unreachable : nil
    case .timeout: return wasConnected ? .slow : .unreachable
    case .network, .partial, .notHTTP, .coding, .complete: return .reached
    case .url, .untrusted, .tooLarge, .largeHeaders, .noDescriptor, .internal: return nil
    }
  }

  /// Seconds the server asked to be left alone. Its own clock counts for a date, so a wrong one of ours
  /// does not matter.
  func retryAfterSeconds(now: Int64) -> Int64? {
    let serverNow = date.flatMap { HTTPDate.seconds($0) } ?? now
    return retryAfter.flatMap { RetryAfter.seconds($0, now: serverNow) }
  }
}

/// How an exchange ended for libcurl, in few words.
enum TransferResult: Sendable, Hashable, CaseIterable {
  case complete, url, resolve, connect, untrusted, handshake, timeout, partial, network, notHTTP, coding
  case tooLarge, largeHeaders, noDescriptor, `internal`

  init(_ result: pcurl_result) {
    switch result {
    case PCURL_OK: self = .complete
    case PCURL_URL: self = .url
    case PCURL_RESOLVE: self = .resolve
    case PCURL_CONNECT: self = .connect
    case PCURL_TLS_UNTRUSTED: self = .untrusted
    case PCURL_TLS: self = .handshake
    case PCURL_TIMEOUT: self = .timeout
    case PCURL_PARTIAL: self = .partial
    case PCURL_NETWORK: self = .network
    case PCURL_PROTOCOL: self = .notHTTP
    case PCURL_CODING: self = .coding
    case PCURL_TOO_LARGE: self = .tooLarge
    case PCURL_HEADERS: self = .largeHeaders
    case PCURL_DESCRIPTORS: self = .noDescriptor
    default: self = .internal
    }
  }
}

/// What becomes of a finished exchange.
enum Verdict: Sendable {
  case success
  case redirect(to: String)
  case failure(HTTPFailure)

  /// - Parameters:
  ///   - url: where the exchange went to.
  ///   - asksForRange: the request has a `Range` field, so a part is what it wants.
  ///   - isConditional: the request has a condition, so "not modified" is an answer.
  init(
    _ outcome: TransferOutcome, url: HTTPURL, asksForRange: Bool, isConditional: Bool = false,
    configuration: HTTPConfiguration
  ) {
    if let failure = HTTPFailure(outcome, url: url, configuration: configuration) {
      self = .failure(failure)
      return
    }
    var place: RedactedURL { RedactedURL(url.text) }
    switch outcome.status {
    case 301, 302, 303, 307, 308:
      guard let target = outcome.redirect else {
        self = .failure(
          HTTPFailure(
            .redirect, "\(place): the server redirects but does not say where to", status: outcome.status))
        return
      }
      self = .redirect(to: target)
    case 206 where !asksForRange:
      self = .failure(
        HTTPFailure(
          .status, "\(place): the server sent a part (206) although the whole was asked for", status: 206))
    case 200...299 where outcome.bodyCount == 0:
      self = .failure(
        HTTPFailure(
          .empty, "\(place): the server answered \(outcome.status) with an empty body",
          status: outcome.status))
    case 304 where isConditional, 200...299:
      self = .success
    default:
      self = .failure(HTTPFailure(status: outcome.status, place: place))
    }
  }
}
