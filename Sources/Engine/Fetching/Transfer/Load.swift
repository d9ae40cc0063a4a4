import Signposts
import Text

/// One request on its way through redirects and retries. Used on the loader's thread only.
final class Load {
  let submission: TransferChannel.Submission
  let began: Duration
  /// Where the next exchange goes, or the one under way.
  var hop: HTTPURL
  /// The URLs passed through, for messages; redacted only when one is written, since most loads need none.
  private var trail: [String]
  /// Why the tries before this one failed: the status, or the code without its room, such as `connect`.
  private(set) var causes: [String]
  var transfer: CurlTransfer?
  /// The exchange that redirected to the next one, which gets its cookies.
  var hopBefore: CurlTransfer?
  /// The wait for a place, or the exchange under way.
  var interval: SignpostInterval?
  /// When the exchange under way began, by `SignpostClock`.
  var exchangeBegan: Int64 = 0
  var firstStart: Duration?
  /// The connections that its exchange may go over, and how many of its host's had broken when it began.
  var (way, breaks) = (HostWay.kept, 0)
  var lane: Lane?
  /// It goes over a connection of its own from now on.
  var needsOwn = false
  /// Its exchange began when its host might have several connections.
  var hasCompany = false
  /// Its exchange is under way beside no other.
  var isAlone = false
  /// How often in a row it was sent again without a fault of its own.
  var repeats = 0
  /// Bytes of the body that were taken from the shared room.
  var roomTaken = 0
  /// The bytes at the last look at the exchange, and its moment.
  var seen: (bytes: Int64, at: Duration) = (0, .zero)
  /// How often it could not begin for want of a file descriptor.
  var shortages = 0
  /// Bytes of the body that its sink has got.
  var drained = 0

  init(_ submission: TransferChannel.Submission, began: Duration) {
    self.submission = submission
    self.began = began
    hop = submission.url
    trail = [submission.url.text]
    causes = submission.causes
  }

  var id: UInt64 { submission.id }
  var redirects: Int { trail.count - 1 }

  /// Fields and credentials go where the request was meant to go, never where a redirect leads to. From http to https of
  /// one host they go along.
  var isAtItsOrigin: Bool {
    hop.origin == submission.url.origin
      || hop.origin == "https://\(hop.host):443" && submission.url.origin == "http://\(hop.host):80"
  }

  /// The server takes no condition, or a cache before it confuses its own with ours.
  private(set) var asksAfresh = false
  private static let conditions = ["If-None-Match", "If-Modified-Since"]

  var headers: [HTTPHeader] {
    guard isAtItsOrigin else {
      return submission.request.redirectHeaders
        .filter { [hop.host, hop.authority].contains($0.host.lowercased()) }.map(\.header)
    }
    guard asksAfresh else { return submission.request.headers }
    return submission.request.headers.filter { field in !Self.conditions.contains { field.isNamed($0) } }
      + [HTTPHeader(name: "Cache-Control", value: "no-cache")]
  }

  var credentials: (user: String, password: String)? {
    guard isAtItsOrigin, let user = submission.url.user else { return nil }
    return (user, submission.url.password ?? "")
  }

  /// Whether its body is kept while it comes in.
  var isWatched: Bool { submission.sink != nil }

  var asksForRange: Bool { headers.value("Range") != nil }

  /// Where that is refused the caller asks for the whole, so it is not tried again.
  var asksForBeginning: Bool { headers.value("Range")?.hasPrefix("bytes=0-") ?? false }

  var isConditional: Bool { Self.conditions.contains { headers.value($0) != nil } }

  /// Once for a request; it costs no try.
  func askAfresh() {
    asksAfresh = true
    startOver()
  }

  func beginAgain(after failure: HTTPFailure) {
    let status = failure.code == .status ? failure.status : nil
    let meaning = status.map { StatusMeaning($0) }
    repeats = 0
    if meaning == .condition { asksAfresh = true }
    if meaning == .connection { needsOwn = true }
    causes.append(
      status.map { "\($0)" } ?? String(failure.code.rawValue.drop { $0 != "." }.dropFirst()))
    startOver()
  }

  func startOver() {
    drained = 0
    hopBefore = nil
    hop = submission.url
    trail = [submission.url.text]
  }

  /// - Throws: `fetch.redirect` when the limit is reached or the target is neither http nor https.
  func follow(_ target: String, status: Int, limit: Int) throws(HTTPFailure) {
    func refuse(_ reason: String) -> HTTPFailure {
      let places = (trail + [target]).map { RedactedURL($0).description }.joined(separator: " -> ")
      return HTTPFailure(
        .redirect, at: submission.url, "\(reason): \(places)", shared: reason, status: status)
    }
    guard redirects < limit else { throw refuse("redirected more than \(limit) times") }
    guard let url = try? HTTPURL(target) else {
      throw refuse("redirected to where nothing is fetched from, only http and https are followed")
    }
    hop = url
    trail.append(target)
  }

  /// Adds the redirects and the earlier tries to a failure.
  func explain(_ failure: HTTPFailure) -> HTTPFailure {
    var failure = failure
    if redirects > 0, failure.code != .redirect {
      failure.message += " (redirected from \(RedactedURL(trail[0])))"
    }
    if !causes.isEmpty {
      // Which were all alike as a rule, and few.
      let shown = causes.prefix(5).joined(separator: ", ") + (causes.count > 5 ? ", ..." : "")
      failure.message += " (after \(causes.count) \(causes.count == 1 ? "retry" : "retries"), for: \(shown))"
    }
    return failure
  }
}

/// The signposts of requests: their waits, their exchanges and the phases of these.
extension Signposter {
  func waiting(_ load: Load) -> SignpostInterval? {
    isEnabled ? beginInterval(.waitForPlace, metadata(load)) : nil
  }

  func begin(_ load: Load) {
    guard isEnabled else { return }
    giveUp(load)
    let now = SignpostClock.now
    load.exchangeBegan = now
    load.interval = beginInterval(.loadImageData, at: now, metadata(load))
  }

  func end(_ load: Load, _ outcome: TransferOutcome, _ transfer: CurlTransfer) {
    guard let interval = load.interval else { return }
    let metadata = metadata(load)
    // libcurl's clock is another one: a phase must not outlast its exchange.
    let now = SignpostClock.now
    for phase in transfer.phases(isHTTPS: load.hop.isHTTPS) {
      addInterval(
        phase.name, from: min(load.exchangeBegan + phase.begin, now),
        to: min(load.exchangeBegan + phase.end, now), in: interval,
        metadata)
    }
    endInterval(
      interval,
      [
        .status: .integer(outcome.status), .bytes: .integer(Int(transfer.wireBytes)),
        .succeeded: .flag(outcome.result == .complete),
      ])
    load.interval = nil
  }

  /// Whatever was under way is over. Does nothing where it has ended.
  func giveUp(_ load: Load) {
    if let interval = load.interval { endInterval(interval) }
  }

  func emit(_ name: SignpostName, _ load: Load) { emitEvent(name, metadata(load)) }

  private func metadata(_ load: Load) -> SignpostMetadata {
    [.host: .text(load.hop.server), .url: .url(load.hop.text), .attempt: .integer(load.causes.count)]
  }
}
