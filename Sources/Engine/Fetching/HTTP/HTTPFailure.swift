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
    return HTTPFailure(
      .truncated,
      "\(RedactedURL(url.text)): the server named no length, and the body does not show that it is whole\(tries)",
      status: response.status, isRetryable: true)
  }

  static func isTooLarge(_ limit: Int) -> String {
    "larger than the limit of \(limit) bytes; raise the limit if it is meant"
  }

  /// A later request may be answered differently: the server was busy or restarting, or timed out itself; the picture is
  /// not made yet (202); a cache mixed up requests (304); another connection is wanted (421). 507 is WebDAV's, 509 and
  /// 529 those of hosts that limit, 52x and 530 Cloudflare's for an origin that is away, 598 and 599 those of proxies.
  static let retryableStatuses: Set<Int> = [
    202, 304, 408, 421, 425, 429, 500, 502, 503, 504, 507, 509, 520, 521, 522, 523, 524, 527, 529, 530, 598,
    599,
  ]

  /// - Parameter asksToWait: the server said when to come again.
  init(status: Int, place: RedactedURL, wording: HTTPConfiguration.Wording, asksToWait: Bool = false) {
    let isRetryable = Self.retryableStatuses.contains(status) || asksToWait && status >= 400
    let advice =
      switch status {
      case 401 where !isRetryable, 403 where !isRetryable:
        "; check the \(wording == .settings ? "`header` lines of the job" : "header fields of the request")"
      case 404, 410: "; check the URL"
      case 429: "; lower the number of parallel downloads"
      default: ""
      }
    let phrase = Self.phrases[status].map { " \($0)" } ?? ""
    self.init(
      .status, "\(place): the server answered \(status)\(phrase)\(advice)", status: status,
      isRetryable: isRetryable)
  }

  /// Names of RFC 9110, section 15, and RFC 6585. The server's own phrase is not to be trusted in a message.
  private static let phrases: [Int: String] = [
    202: "Accepted", 300: "Multiple Choices", 304: "Not Modified", 400: "Bad Request", 401: "Unauthorized",
    402: "Payment Required", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
    406: "Not Acceptable", 407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict",
    410: "Gone", 412: "Precondition Failed", 414: "URI Too Long", 416: "Range Not Satisfiable",
    421: "Misdirected Request", 425: "Too Early", 429: "Too Many Requests",
    431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
    500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
    504: "Gateway Timeout", 507: "Insufficient Storage",
  ]

  /// The message without its URL, which failures of one host share; nil where it does not begin with a URL.
  package var cause: String? {
    guard message.hasPrefix("http://") || message.hasPrefix("https://"),
      let mark = message.firstRange(of: ": ")
    else { return nil }
    // The text behind the host may have been cut or masked, so it need not be a URL any more.
    let url = message[..<mark.lowerBound]
    let scheme = url.firstRange(of: "://")?.upperBound ?? url.startIndex
    let origin = url[..<scheme] + url[scheme...].prefix { !"/?#".contains($0) }
    let host = ServerName.of(String(origin)) ?? "a host"
    var rest = message[mark.upperBound...]
    // How often it was tried is another number for each.
    if let tries = rest.firstRange(of: " (after ") { rest = rest[..<tries.lowerBound] }
    switch code {
    case .status where status != 206:
      // The advice, which is the same for each.
      let advice = rest.firstIndex(of: ";").map { rest[$0...] } ?? ""
      return status.map { "HTTP \($0) from \(host)\(advice)" }
    case .redirect:
      // The places that follow are each URL's own.
      return "\(rest.firstRange(of: ": ").map { rest[..<$0.lowerBound] } ?? rest), from \(host)"
    default:
      // Without the port, which not every message has.
      let name = host.hasPrefix("[") ? host : String(host.prefix { $0 != ":" })
      return rest.contains(name) ? String(rest) : "\(rest), from \(host)"
    }
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
    let proxy = configuration.proxies.proxy(for: url).map(HTTPProxies.name)
    let proxied = proxy.flatMap { Self.reason(outcome, detail, proxy: $0, configuration) }
    let (code, text, isRetryable) = proxied ?? Self.reason(outcome, detail, url: url, configuration)
    self.init(
      code, "\(RedactedURL(url.text)): \(text)", status: outcome.status > 0 ? outcome.status : nil,
      isRetryable: isRetryable)
  }

  private typealias Reason = (code: Code, text: String, isRetryable: Bool)

  /// The reasons behind a proxy, which is the one to find a host and to reach it; nil for those that are the same.
  private static func reason(
    _ outcome: TransferOutcome, _ detail: String, proxy: String, _ configuration: HTTPConfiguration
  ) -> Reason? {
    switch outcome.result {
    case .resolve:
      (.resolve, "the name of the proxy \(proxy) could not be resolved; check its spelling", true)
    case .connect: (.connect, "no connection through the proxy \(proxy): \(detail)", true)
    case .timeout where !outcome.wasConnected:
      (.timeout, "no connection through the proxy \(proxy) within \(configuration.connectTimeout)", true)
    case .network: (.network, "the connection through the proxy \(proxy) broke: \(detail)", true)
    default: nil
    }
  }

  private static func reason(
    _ outcome: TransferOutcome, _ detail: String, url: HTTPURL, _ configuration: HTTPConfiguration
  ) -> Reason {
    switch outcome.result {
    case .url: (.url, "libcurl cannot read this URL", false)
    case .resolve:
      (
        .resolve, "the name \(url.host) could not be resolved; check its spelling and the name service",
        true
      )
    case .connect: (.connect, "no connection to \(url.authority): \(detail)", true)
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
      (.tls, "the TLS connection to \(url.authority) was refused: \(detail)", false)
    case .timeout where !outcome.wasConnected:
      (.timeout, "no connection to \(url.authority) within \(configuration.connectTimeout)", true)
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
    case .network, .stream: (.network, "the connection broke: \(detail)", true)
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
      .privateAddress,
      """
      \(RedactedURL(url.text)): \(url.host) is at \(address) (\(kind)), which is blocked by default; \
      to allow it, \(advice)
      """)
  }
}
