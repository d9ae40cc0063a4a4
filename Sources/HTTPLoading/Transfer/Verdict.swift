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
