import Signposts

/// One request on its way through redirects and retries.
struct Load {
  let submission: TransferChannel.Submission
  let began: Duration
  /// Where the next exchange goes, or the one under way.
  var hop: HTTPURL
  /// The places passed through, for messages.
  var trail: [RedactedURL]
  var attempt = 0
  var transfer: CurlTransfer?
  /// The wait for a place, or the exchange under way.
  var interval: SignpostInterval?
  /// When the exchange under way began, by `SignpostClock`.
  var exchangeBegan: Int64 = 0
  /// Bytes of which the caller has been told.
  var reported: Int64 = 0

  init(_ submission: TransferChannel.Submission, began: Duration) {
    self.submission = submission
    self.began = began
    hop = submission.url
    trail = [RedactedURL(submission.url.text)]
  }

  var id: UInt64 { submission.id }
  var redirects: Int { trail.count - 1 }

  /// Fields and credentials go where the request was meant to go, never where a redirect leads to.
  var isAtItsOrigin: Bool { hop.origin == submission.url.origin }

  var headers: [HTTPHeader] { isAtItsOrigin ? submission.request.headers : [] }

  var credentials: (user: String, password: String)? {
    guard isAtItsOrigin, let user = submission.url.user else { return nil }
    return (user, submission.url.password ?? "")
  }

  var asksForRange: Bool { headers.value("Range") != nil }

  var isConditional: Bool { headers.contains { Self.conditions.contains($0.name.lowercased()) } }

  private static let conditions: Set<String> = ["if-none-match", "if-modified-since"]

  mutating func beginAgain() {
    attempt += 1
    reported = 0
    hop = submission.url
    trail = [RedactedURL(submission.url.text)]
  }

  /// - Throws: `fetch.redirect` when the limit is reached or the target is neither http nor https.
  mutating func follow(_ target: String, status: Int, limit: Int) throws(HTTPFailure) {
    let next = RedactedURL(target)
    func refuse(_ reason: String) -> HTTPFailure {
      let places = (trail + [next]).map(\.description).joined(separator: " -> ")
      return HTTPFailure(.redirect, "\(trail[0]): \(reason): \(places)", status: status)
    }
    guard redirects < limit else { throw refuse("redirected more than \(limit) times") }
    guard let url = try? HTTPURL(target) else {
      throw refuse("redirected to where nothing is fetched from, only http and https are followed")
    }
    hop = url
    trail.append(next)
  }

  /// Tells about the way to the failure and the tries that went before it.
  func explain(_ failure: HTTPFailure) -> HTTPFailure {
    var failure = failure
    if redirects > 0, failure.code != .redirect { failure.message += " (redirected from \(trail[0]))" }
    if attempt > 0 { failure.message += " (after \(attempt) \(attempt == 1 ? "retry" : "retries"))" }
    return failure
  }
}
