import ContentDigests
import Digests

/// The fields of an answer that a cache keeps beside its body, and its age.
struct StoredResponse: Sendable, Hashable {
  var fields: [Field]
  /// The digests of the request's values of the fields that `Vary` names.
  var varying: [Field]
  /// Seconds since 1970 when the request went out and when its answer came.
  var requestTime: Int64
  var responseTime: Int64
  var bodySize: Int
  /// SHA-256 in hexadecimal: a body that a disk has damaged is never given out.
  var bodyDigest: String

  struct Field: Sendable, Hashable {
    var name: String
    var value: String
  }

  var headers: [HTTPHeader] { fields.map { HTTPHeader(name: $0.name, value: $0.value) } }

  /// The fields that freshness, conditions and pictures need (RFC 9111, section 3.1, lets a cache drop the rest).
  /// Anything else may repeat what a request brought, and no secret is to reach the disk.
  private static let kept: Set<String> = [
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

  private static func kept(_ fields: [HTTPHeader]) -> [Field] {
    fields.filter { kept.contains($0.name.lowercased()) }.map { Field(name: $0.name, value: $0.value) }
  }

  // MARK: Choosing

  static func variesByAll(_ fields: [HTTPHeader]) -> Bool {
    (fields.list("Vary") ?? "").split(separator: ",").contains { $0.filter { $0 != " " } == "*" }
  }

  /// A digest, for the value may be a secret.
  private static func selecting(fields: [HTTPHeader], of request: HTTPRequest) -> [Field] {
    let names = (fields.list("Vary") ?? "").lowercased().split(separator: ",").map { $0.filter { $0 != " " } }
    return names.sorted().map { name in
      Field(name: name, value: SHA256.hexadecimal(of: request.headers.list(name) ?? ""))
    }
  }

  /// Whether it answers this request too (RFC 9111, section 4.1).
  func matches(_ request: HTTPRequest) -> Bool {
    varying == Self.selecting(fields: headers, of: request)
  }

  /// The same, for another request that `Vary` may set apart: a 304 may change `Vary`.
  func selected(by request: HTTPRequest) -> StoredResponse {
    var copy = self
    copy.varying = Self.selecting(fields: headers, of: request)
    return copy
  }

  // MARK: Renewing

  /// Section 3.2: the fields of a 304 replace those of the same name.
  func updated(by notModified: HTTPResponse, requestTime: Int64, responseTime: Int64) -> StoredResponse {
    var copy = self
    let newer = Self.kept(notModified.fields).filter { $0.name.lowercased() != "content-type" }
    let names = Set(newer.map { $0.name.lowercased() })
    copy.fields = fields.filter { !names.contains($0.name.lowercased()) } + newer
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

  /// Whether it can be what was once stored.
  var isPlausible: Bool { bodySize >= 0 && bodyDigest.utf8.count == 64 && !fields.isEmpty }

  /// Up to the year 9999: the number on disk may be damaged, and ages are computed from it.
  private static func moment(_ seconds: Int64) -> Int64 { min(max(seconds, 0), 253_402_300_799) }

  var fieldText: String { Self.text(fields) }
  var varyingText: String { Self.text(varying) }

  /// The moment, in seconds since 1970, from which on it is stale; its response time where it never is fresh.
  var freshUntil: Int64 {
    if CacheControl(headers.list("Cache-Control")).noCache { return responseTime }
    let (moment, overflows) = responseTime.addingReportingOverflow(lifetime - age(at: responseTime))
    return overflows ? .max : moment
  }

  private static func text(_ fields: [Field]) -> String {
    fields.map { "\($0.name):\($0.value)" }.joined(separator: "\n")
  }

  private static func fields(_ text: String) -> [Field] {
    text.utf8.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      return Field(
        name: String(line[..<colon]) ?? "", value: String(line[line.index(after: colon)...]) ?? "")
    }
  }
}
