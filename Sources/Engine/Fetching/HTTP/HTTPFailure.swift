import Foundation
import Text

/// Why a download failed: a bounded code for machines, words and advice for people.
///
/// No text in it holds user info, a query or a header value.
public struct HTTPFailure: LocalizedError, Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure.
  public var code: Code
  /// A phrase for people, with the URL before it, and what to do.
  public var message: String
  /// HTTP status where a response came.
  public var status: Int?
  /// A later load may succeed without any change.
  public var isRetryable: Bool
  /// The reason without the URL, which failures of one host share; nil where there is no URL.
  package private(set) var cause: String?
  /// Where a later request can go on with the body.
  package var cutBody: CutBody?

  /// Kinds of failures; the raw value is the same in the command's records.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The text is not a URL that can be loaded, or a header field cannot be sent.
    case url = "fetch.url"
    /// The host's name has no address.
    case resolve = "fetch.resolve"
    /// No connection.
    case connect = "fetch.connect"
    /// No TLS connection, or a certificate that is not trusted.
    case tls = "fetch.tls"
    /// No connection within ``HTTPConfiguration/connectTimeout``, or not complete within
    /// ``HTTPConfiguration/totalTimeout``.
    case timeout = "fetch.timeout"
    /// Slower than ``HTTPConfiguration/stallSpeed`` for ``HTTPConfiguration/stallTimeout``.
    case stalled = "fetch.stalled"
    /// More redirects than ``HTTPConfiguration/maxRedirects``, or one that may not be followed.
    case redirect = "fetch.redirect"
    /// The host is at an address that ``HTTPConfiguration/allowPrivate`` does not allow.
    case privateAddress = "fetch.private-address"
    /// Another status than 2xx; see ``HTTPFailure/status``.
    case status = "fetch.status"
    /// The connection ended before the body did.
    case truncated = "fetch.truncated"
    /// The body is larger than ``HTTPConfiguration/maxBodyBytes``.
    case tooLarge = "fetch.too-large"
    /// The header fields of the answer are larger than allowed.
    case headers = "fetch.headers"
    /// A body without bytes.
    case empty = "fetch.empty"
    /// The connection broke, or the answer is not HTTP.
    case network = "fetch.network"
    /// The task was cancelled.
    case cancelled = "fetch.cancelled"
    /// Only the HTTP cache was allowed to answer, and it could not.
    case notCached = "fetch.not-cached"
  }

  /// A failure, for loaders of an app's own.
  public init(_ code: Code, _ message: String, status: Int? = nil, isRetryable: Bool = false) {
    self.code = code
    self.message = message
    self.status = status
    self.isRetryable = isRetryable
  }

  /// - Parameter shared: what failures of the host have in common, where that is not the whole reason.
  init(
    _ code: Code, at url: HTTPURL, _ reason: String, shared: String? = nil, status: Int? = nil,
    isRetryable: Bool = false
  ) {
    self.init(code, "\(RedactedURL(url.text)): \(reason)", status: status, isRetryable: isRetryable)
    let shared = shared ?? reason
    cause = shared.contains(url.host) ? shared : "\(shared), from \(url.server)"
  }

  /// The text of `localizedDescription`.
  public var errorDescription: String? { description }

  /// The message and the code.
  public var description: String { "\(message) (\(code.rawValue))" }

  static let cancelled = HTTPFailure(.cancelled, "the download was cancelled", isRetryable: true)
  static let shutDown = HTTPFailure(
    .cancelled, "the download was cancelled, since the loader was shut down", isRetryable: true)
  static let noDescriptor = HTTPFailure(
    .network, "no file descriptor was left for the connection; raise the limit (ulimit -n)",
    isRetryable: true)
  static let noHandle = HTTPFailure(
    .network, "libcurl could not begin a transfer; memory or file descriptors may be short",
    isRetryable: true)

  static func noEnd(of url: HTTPURL, _ response: HTTPResponse) -> HTTPFailure {
    let tries = response.retries == 0 ? "" : " (after \(response.retries) retries)"
    let reason = "the server named no length, and the body does not show that it is whole"
    return HTTPFailure(
      .truncated, at: url, reason + tries, shared: reason, status: response.status, isRetryable: true)
  }

  static func isTooLarge(_ limit: Int) -> String {
    "larger than the limit of \(limit) bytes; raise the limit if it is meant"
  }

  /// - Parameter asksToWait: the server said when to come again.
  init(status: Int, at url: HTTPURL, wording: HTTPConfiguration.Wording, asksToWait: Bool = false) {
    let isRetryable = StatusMeaning(status).passes || asksToWait && status >= 400
    let advice =
      switch status {
      case 401 where !isRetryable, 403 where !isRetryable:
        "; check the \(wording == .settings ? "`header` lines of the job" : "header fields of the request")"
      case 404, 410: "; check the URL"
      case 429: "; lower the number of parallel downloads"
      default: ""
      }
    self.init(
      .status, at: url, "the server answered \(status)\(advice)",
      shared: "HTTP \(status) from \(url.server)\(advice)", status: status, isRetryable: isRetryable)
  }

  /// The failure of an exchange that did not come to its end; `nil` when it did.
  init?(_ outcome: TransferOutcome, url: HTTPURL, configuration: HTTPConfiguration) {
    // The usual case, before any text is made for the others.
    if outcome.result == .complete { return nil }
    if outcome.result == .noDescriptor {
      self = .noDescriptor
      return
    }
    if outcome.result == .connect, let address = outcome.refusedAddress {
      self.init(refused: address, url: url, wording: configuration.wording)
      return
    }
    // Names in it are the host's; a certificate's text may hold anything.
    let detail = RedactedURL.escaped(outcome.detail)
    let (code, text, isRetryable) = Self.reason(outcome, detail, url: url, configuration)
    self.init(
      code, at: url, text, status: outcome.status > 0 ? outcome.status : nil, isRetryable: isRetryable)
  }

  private static func reason(
    _ outcome: TransferOutcome, _ detail: String, url: HTTPURL, _ configuration: HTTPConfiguration
  ) -> (code: Code, text: String, isRetryable: Bool) {
    // A proxy is the one to find a host and to reach it.
    let proxy = configuration.proxies.proxy(for: url).map { "the proxy \(HTTPProxies.name(of: $0))" }
    let way = proxy.map { "through \($0)" } ?? "to \(url.authority)"
    return switch outcome.result {
    case .url: (.url, "libcurl cannot read this URL", false)
    case .resolve:
      (
        .resolve,
        "the name \(proxy.map { "of \($0)" } ?? url.host) could not be resolved; check its spelling and the name service",
        true
      )
    case .connect: (.connect, "no connection \(way): \(detail)", true)
    case .untrusted:
      (
        .tls,
        "the certificate of \(url.host) is not trusted: \(detail)"
          + (outcome.detail.contains("local issuer")
            ? "; perhaps the server does not send the certificate between its own and a trusted one" : "")
          + (configuration.wording == .settings ? "; --cacert FILE names those to trust" : ""), false
      )
    case .handshake: (.tls, "no TLS connection to \(url.authority): \(detail)", !outcome.refusesTLS)
    case .network where outcome.refusesTLS:
      (.tls, "\(url.authority) asks for a certificate of the client's, and there is none", false)
    case .timeout where !outcome.wasConnected:
      (.timeout, "no connection \(way) within \(configuration.connectTimeout)", true)
    // libcurl has one result for both, and its timers fire a little early.
    case .timeout where outcome.seconds >= 0.95 * (configuration.totalTimeout / .seconds(1)):
      (.timeout, "not complete within \(configuration.totalTimeout)", true)
    case .timeout:
      (
        .stalled,
        outcome.status == 0
          ? "no answer within \(configuration.answerTimeout)"
          : "fewer than \(configuration.stallSpeed) bytes a second for \(configuration.stallTimeout)", true
      )
    case .partial:
      (
        .truncated,
        "the connection ended after \(outcome.receivedLength)"
          + "\(outcome.announcedLength.map { " of \($0)" } ?? "") bytes of the body", true
      )
    case .network, .stream:
      (.network, "the connection \(proxy.map { "through \($0) " } ?? "")broke: \(detail)", true)
    case .again, .notShared, .spoiled:
      (.network, "the server takes no request on the connections that it opens", true)
    case .flooded: (.network, "the server sends without end, and nothing of a body", true)
    case .notHTTP where outcome.detail.contains("colon"):
      (.headers, "a header line of the answer has no colon", false)
    case .notHTTP: (.network, "the answer is not HTTP", false)
    case .tooLarge: (.tooLarge, isTooLarge(outcome.maxBodyBytes), false)
    case .largeHeaders:
      (
        .headers, "the header fields of the answer are larger than \(configuration.maxHeaderBytes) bytes",
        false
      )
    case .complete, .noDescriptor, .internal: (.network, "the transfer failed: \(detail)", false)
    }
  }

  init(refused address: IPAddress, url: HTTPURL, wording: HTTPConfiguration.Wording) {
    let kind = AddressPurpose.of(address) ?? "public"
    let advice =
      switch wording {
      case .settings: "add allow-private \(url.host) to the job, or pass --allow-private \(url.host)"
      case .properties: "add \"\(url.host)\" to HTTPConfiguration.allowPrivate"
      }
    self.init(
      .privateAddress, at: url,
      """
      \(url.host) is at \(address) (\(kind)), which is blocked by default; \
      to allow it, \(advice)
      """)
  }
}
