import Bodies
import Digests

/// The fields of an answer that a cache keeps beside its body, and its age.
struct StoredResponse: Sendable, Hashable {
  var fields: [HTTPHeader]
  /// The digests of the request's values of the fields that `Vary` names.
  var varying: [HTTPHeader]
  /// Seconds since 1970 when the request went out and when its answer came.
  var requestTime: Int64
  var responseTime: Int64
  var bodySize: Int
  /// SHA-256 in hexadecimal: a body that a disk has damaged is never given out.
  var bodyDigest: String

  /// The fields that freshness, conditions and pictures need (RFC 9111, section 3.1, lets a cache drop the rest).
  /// Anything else may repeat what a request brought, and no secret is to reach the disk.
  private static let kept = [
    "age", "cache-control", "content-type", "date", "etag", "expires", "last-modified", "vary",
  ]

  init(_ response: HTTPResponse, to request: HTTPRequest, requestTime: Int64, responseTime: Int64) {
    fields = Self.kept(response.fields)
    varying = Self.selecting(fields: response.fields, of: request)
    self.requestTime = requestTime
    self.responseTime = responseTime
    bodySize = response.body.count
    bodyDigest = response.bodyDigest ?? ContentDigest.sha256(response.body)
  }

  private static func kept(_ fields: [HTTPHeader]) -> [HTTPHeader] {
    fields.filter { kept.contains(where: $0.isNamed) }
  }

  // MARK: Choosing

  static func variesByAll(_ fields: [HTTPHeader]) -> Bool {
    (fields.list("Vary") ?? "").split(separator: ",").contains { $0.filter { $0 != " " } == "*" }
  }

  /// A digest, for the value may be a secret.
  private static func selecting(fields: [HTTPHeader], of request: HTTPRequest) -> [HTTPHeader] {
    let names = (fields.list("Vary") ?? "").lowercased().split(separator: ",").map { $0.filter { $0 != " " } }
    return names.sorted().map { name in
      HTTPHeader(name: name, value: SHA256.hexadecimal(of: request.headers.list(name) ?? ""))
    }
  }

  /// Whether it answers this request too (RFC 9111, section 4.1).
  func matches(_ request: HTTPRequest) -> Bool {
    varying == Self.selecting(fields: fields, of: request)
  }

  // MARK: Renewing

  /// Section 3.2: the fields of a 304 replace those of the same name.
  func updated(
    by notModified: HTTPResponse, to request: HTTPRequest, requestTime: Int64, responseTime: Int64
  ) -> StoredResponse {
    var copy = self
    let newer = Self.kept(notModified.fields).filter { !$0.isNamed("Content-Type") }
    copy.fields = fields.filter { field in !newer.contains { $0.isNamed(field.name) } } + newer
    // A 304 may change `Vary`.
    copy.varying = Self.selecting(fields: copy.fields, of: request)
    copy.requestTime = requestTime
    copy.responseTime = responseTime
    return copy
  }
}

/// A response as the columns of an index: fields are a line each, since no value can hold a line break.
extension StoredResponse {
  init(
    fields: String, varying: String, requestTime: Int64, responseTime: Int64, bodySize: Int,
    bodyDigest: String
  ) {
    self.fields = Self.fields(fields)
    self.varying = Self.fields(varying)
    self.requestTime = Self.moment(requestTime)
    self.responseTime = Self.moment(responseTime)
    self.bodySize = bodySize
    self.bodyDigest = bodyDigest
  }

  /// Up to the year 9999: the number on disk may be damaged, and ages are computed from it.
  private static func moment(_ seconds: Int64) -> Int64 { min(max(seconds, 0), 253_402_300_799) }

  var fieldText: String { Self.text(fields) }
  var varyingText: String { Self.text(varying) }

  /// The moment, in seconds since 1970, from which on it is stale; its response time where it never is fresh.
  var freshUntil: Int64 {
    if CacheControl(fields.list("Cache-Control")).noCache { return responseTime }
    let date = date  // read once: libcurl takes as long for it as SQLite for the row
    let (moment, overflows) = responseTime.addingReportingOverflow(
      lifetime(date) - age(at: responseTime, date))
    return overflows ? .max : moment
  }

  private static func text(_ fields: [HTTPHeader]) -> String {
    fields.map { "\($0.name):\($0.value)" }.joined(separator: "\n")
  }

  private static func fields(_ text: String) -> [HTTPHeader] {
    Array(text.utf8).split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      return HTTPHeader(
        received: String(decoding: line[..<colon], as: UTF8.self),
        String(decoding: line[(colon + 1)...], as: UTF8.self))
    }
  }

  /// Whether it may be given without asking the server, `now` in seconds since 1970.
  func isFresh(at now: Int64) -> Bool {
    // A clock that went back says nothing about ages.
    now >= responseTime && now < freshUntil
  }

  /// RFC 9111, section 4.2.3.
  func age(at now: Int64, _ date: Int64? = nil) -> Int64 {
    let age = fields.value("Age").flatMap { Int64($0) }.map { min(max(0, $0), Int64(Int32.max)) } ?? 0
    let apparent = max(0, responseTime - (date ?? self.date))
    let corrected = age + max(0, responseTime - requestTime)
    return max(apparent, corrected) + max(0, now - responseTime)
  }

  /// Seconds, section 4.2.1; where nothing is said a tenth of the time since the last change (section 4.2.2), at most
  /// twelve hours: with a day, every other run of a nightly job would ask no server.
  func lifetime(_ date: Int64? = nil) -> Int64 {
    if let maxAge = CacheControl(fields.list("Cache-Control")).maxAge { return maxAge }
    if let expires = fields.value("Expires") {
      // Text that is not a date counts as the past (section 5.3).
      return HTTPDate.seconds(expires).map { max(0, $0 - (date ?? self.date)) } ?? 0
    }
    guard let modified = fields.value("Last-Modified").flatMap({ HTTPDate.seconds($0) }) else { return 0 }
    return min(max(0, (date ?? self.date) - modified) / 10, 12 * 3600)
  }

  /// By the server's clock; where it did not say, by ours.
  private var date: Int64 { fields.value("Date").flatMap { HTTPDate.seconds($0) } ?? responseTime }

  /// The fields of a request that asks whether this is still right; empty where it cannot be asked.
  var conditions: [HTTPHeader] {
    [("ETag", "If-None-Match"), ("Last-Modified", "If-Modified-Since")].compactMap { field, condition in
      let header = fields.value(field).map { HTTPHeader(name: condition, value: $0) }
      return header.flatMap { (try? $0.check()) == nil ? nil : $0 }
    }
  }

  /// Whether a stored copy can ever be used.
  var isUseful: Bool { !conditions.isEmpty || lifetime() > 0 }

  /// A 304 may belong to another version than the one that is stored (section 4.3.4).
  func isValidated(by notModified: HTTPResponse) -> Bool {
    guard let theirs = notModified.etag, let ours = fields.value("ETag") else { return true }
    return Self.opaque(theirs) == Self.opaque(ours)
  }

  /// The comparison of RFC 9110, section 8.8.3.2, that takes a weak tag for its strong one.
  private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
}
