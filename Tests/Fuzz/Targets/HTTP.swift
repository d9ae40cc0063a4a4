@testable import Fetching

extension FuzzTarget {
  static let http = [cacheControl, retryAfter, contentRange, cacheRow, dataURL]

  private static let cacheControl = FuzzTarget(name: "cache-control") { bytes in
    let control = CacheControl(String(decoding: bytes, as: UTF8.self))
    try hold(control.maxAge ?? 0 >= 0, "an age is not negative: \(control)")
    let words = [
      control.noStore ? "no-store" : nil, control.noCache ? "no-cache" : nil,
      control.mustRevalidate ? "must-revalidate" : nil, control.maxAge.map { "max-age=\($0)" },
    ]
    let printed = words.compactMap { $0 }.joined(separator: ", ")
    try hold(CacheControl(printed) == control, "what it means can be said again: \(printed)")
  }

  private static let retryAfter = FuzzTarget(name: "retry-after") { bytes in
    var feed = Feed(bytes)
    // A server's clock: libcurl gives no date before 1970.
    let now = feed.number() & .max
    var outcome = TransferOutcome(result: .complete, status: 503)
    outcome.fields = [HTTPHeader(name: "Retry-After", value: feed.text())]
    guard let seconds = outcome.fields.retryAfterSeconds(now: now) else { return }
    try hold(seconds >= 0, "nobody waits less than nothing: \(seconds)")
    var rules = HTTPConfiguration()
    rules.jitter = { 1 }
    if let asked = rules.hold(retryAfter: seconds) {
      try hold(asked > .zero && asked <= rules.maxRetryWait, "a wait is within the limit: \(asked)")
    }
    if let wait = rules.wait(attempt: 0, retryAfter: seconds) {
      try hold(wait <= rules.maxRetryTime, "a retry is within the limit: \(wait)")
    }
  }

  private static let contentRange = FuzzTarget(name: "content-range") { bytes in
    guard let range = ContentRange(String(decoding: bytes, as: UTF8.self)) else { return }
    try hold(0 <= range.first && range.first <= range.last, "a range goes forward: \(range)")
    try hold(range.total.map { range.last < $0 } ?? true, "a range is part of the whole: \(range)")
    let printed = "bytes \(range.first)-\(range.last)/\(range.total.map(String.init) ?? "*")"
    try hold(ContentRange(printed) == range, "a range that was printed is the same: \(printed)")
  }

  /// A row of the HTTP cache's index, with whatever a disk or another program has put there.
  private static let cacheRow = FuzzTarget(name: "cache-row") { bytes in
    var feed = Feed(bytes)
    let (requestTime, responseTime, size) = (feed.number(), feed.number(), feed.number())
    // A clock, up to the year 9999.
    let now = Int64(feed.number().magnitude % 253_402_300_800)
    let (fields, varying) = (feed.text(), feed.text())
    let stored = StoredResponse(
      fields: fields, varying: varying, requestTime: requestTime, responseTime: responseTime,
      bodySize: Int(size), bodyDigest: feed.text())
    let again = StoredResponse(
      fields: stored.fieldText, varying: stored.varyingText, requestTime: requestTime,
      responseTime: responseTime, bodySize: Int(size), bodyDigest: stored.bodyDigest)
    try hold(again == stored, "a row that was written is the same")
    try hold(
      stored.isFresh(at: now) == (now >= stored.responseTime && now < stored.freshUntil),
      "both ways to ask for freshness agree at \(now): \(stored)")
    try hold(stored.lifetime() >= 0 && stored.age(at: now) >= 0, "neither age nor lifetime is negative")
    _ = stored.isUseful
    let other = StoredResponse(
      fields: varying, varying: fields, requestTime: now, responseTime: size, bodySize: 0, bodyDigest: "")
    let answer = HTTPResponse(status: 304, body: [], fields: other.fields)
    // Both by the same clock as now.
    let updated = stored.updated(
      by: answer, to: HTTPRequest(url: "http://h/"), requestTime: now, responseTime: now)
    _ = (updated.isFresh(at: now), updated.freshUntil, stored.isValidated(by: answer))
    try hold(updated.bodyDigest == stored.bodyDigest, "another answer does not change the body")
  }

  private static let dataURL = FuzzTarget(name: "data-url") { bytes in
    let limit = 200
    let url = String(decoding: bytes, as: UTF8.self)
    guard let body = try? DataURL.decode(url, maxBytes: limit) else { return }
    try hold(body.count <= limit, "a body is within the limit: \(body.count)")
    try hold(body.count <= url.utf8.count, "a body is no longer than its text")
  }
}
