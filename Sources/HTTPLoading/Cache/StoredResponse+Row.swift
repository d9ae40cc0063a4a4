/// A response as the columns of an index: fields are a line each, since no value can hold a line break.
extension StoredResponse {
  init(
    fields: String, varying: String, requestTime: Int64, responseTime: Int64, bodySize: Int,
    bodyDigest: String
  ) {
    self.fields = Self.fields(fields)
    self.varying = Self.fields(varying)
    self.requestTime = requestTime
    self.responseTime = responseTime
    self.bodySize = bodySize
    self.bodyDigest = bodyDigest
  }

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
