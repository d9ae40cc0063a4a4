import CCurl
import Text

struct TransferOutcome: Sendable {
  var result: TransferResult
  /// 0 when no answer came.
  var status: Int
  var fields: [HTTPHeader] = []
  /// Where a redirect leads, absolute.
  var redirect: String?
  var isChunked = false
  var isHTTP1 = true
  /// The rest of a body that is of no interest was not read.
  var isCut = false
  /// `Content-Length`, if the answer had one.
  var announcedLength: Int64?
  /// Body bytes as they came, before decoding and before the cut at the announced length.
  var receivedLength: Int64 = 0
  var bodyCount = 0
  var maxBodyBytes = Int.max
  var seconds: Double = 0
  /// TLS included, so a time-out after it is the server's silence.
  var wasConnected = false
  /// The server asked for a certificate of the client's.
  var lacksCertificate = false
  /// The last address that was refused, if no other was tried.
  var refusedAddress: IPAddress?
  /// libcurl's message. It may hold host names, so only some messages use it.
  var detail = ""

  /// The end of the body was not announced, or the body went on past it.
  ///
  /// A chunked body and an HTTP/2 stream have an end of their own.
  var isLengthUnverified: Bool {
    guard isHTTP1, !isChunked else { return false }
    guard let announcedLength else { return true }
    return receivedLength > announcedLength
  }

  /// libcurl 7.88 takes a stream that was reset without an error for one that has ended. A part has its length in its
  /// field `Content-Range`.
  var hasOpenEnd: Bool { announcedLength == nil && !(isHTTP1 && isChunked) && ![206, 304].contains(status) }

  /// The answer names itself a part and has all bytes of the file.
  var isPartOfAll: Bool {
    guard let range = ContentRange(fields.value("Content-Range")) else { return false }
    return range.first == 0 && range.last + 1 == bodyCount && range.total == bodyCount
  }

  /// The connection ended, and so may have those of other exchanges.
  var mayConcernOthers: Bool { [.network, .partial].contains(result) && !refusesTLS }

  /// What servers do that cannot cope with a conditional request.
  var mayRefuseConditions: Bool {
    StatusMeaning(status, isConditional: true) == .condition
      || status == 0 && [.network, .partial].contains(result)
  }

  /// What a server does that has HTTP/2 alone: no common protocol, no answer of HTTP/1.1, or one that says so.
  var mayRefuseHTTP1: Bool {
    StatusMeaning(status) == .version
      || status == 0 && [.handshake, .notHTTP, .network, .partial].contains(result) && !refusesTLS
  }

  /// What servers do that have as many connections as they take.
  var mayBeOneTooMany: Bool {
    status == 0 && [.network, .handshake, .connect].contains(result) && refusedAddress == nil && !refusesTLS
  }

  /// One side does not speak what the other wants, such as an old protocol: OpenSSL says it by a number of its own library
  /// (0A). A connection that ended, or has no common protocol, is another matter. That a certificate of the client's is
  /// missing shows in TLS 1.3 only behind the handshake, by an alert that may be lost with the connection.
  var refusesTLS: Bool {
    guard status == 0 else { return false }
    if result == .network { return lacksCertificate }
    return result == .handshake && detail.contains("error:0A") && !detail.contains("unexpected eof")
      && !detail.contains("application protocol")
  }

  /// A host that is asked too much says so, cuts connections or falls silent.
  var asksForLess: Bool {
    StatusMeaning(status) == .host
      || wasConnected && isHTTP1 && [.network, .partial, .timeout].contains(result)
  }

  /// A connection of HTTP/2 that takes requests and gives no answer, or takes none (MAX_CONCURRENT_STREAMS 0).
  var isMute: Bool { result == .timeout && wasConnected && !isHTTP1 && status == 0 }

  /// The host's health by this exchange; `nil` when it says nothing about it.
  var health: HostHealth? {
    if status > 0, result != .timeout { return .reached }
    switch result {
    case .resolve, .handshake: return .unreachable
    case .connect: return refusedAddress == nil ? .unreachable : nil
    case .timeout: return wasConnected && !isMute ? .slow : .unreachable
    case .network, .partial, .notHTTP, .stream, .flooded, .complete: return .reached
    case .url, .untrusted, .tooLarge, .largeHeaders, .noDescriptor, .again, .notShared, .spoiled, .internal:
      return nil
    }
  }
}

/// How an exchange ended for libcurl, in few words: the cases in the order of `pcurl_result`.
enum TransferResult: UInt32, Sendable, CaseIterable {
  case complete, url, resolve, connect, untrusted, handshake, timeout, partial, network, notHTTP
  case tooLarge, largeHeaders, noDescriptor, stream, flooded, again, notShared, spoiled
  case `internal`

  init(_ result: pcurl_result) { self = TransferResult(rawValue: UInt32(result.rawValue)) ?? .internal }
}

/// The next step after a finished exchange.
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
    func failure(_ code: HTTPFailure.Code, _ text: String) -> Verdict {
      .failure(HTTPFailure(code, at: url, text, status: outcome.status))
    }
    if let failure = HTTPFailure(outcome, url: url, configuration: configuration) {
      self = .failure(failure)
      return
    }
    self =
      switch outcome.status {
      case 301, 302, 303, 307, 308:
        outcome.redirect.map { .redirect(to: $0) }
          ?? failure(.redirect, "the server redirects but does not say where to")
      case 206 where !asksForRange && !outcome.isPartOfAll:
        failure(.status, "the server sent a part (206) although the whole was asked for")
      case 200...299 where outcome.bodyCount == 0:
        failure(.empty, "the server answered \(outcome.status) with an empty body")
      case 304 where isConditional, 200...299: .success
      default:
        .failure(
          HTTPFailure(
            status: outcome.status, at: url, wording: configuration.wording,
            asksToWait: outcome.fields.value("Retry-After") != nil))
      }
  }
}
