extension StoredResponse {
  /// Whether it may be given without asking the server, `now` in seconds since 1970.
  func isFresh(at now: Int64) -> Bool {
    let control = CacheControl(headers.list("Cache-Control"))
    // A clock that went back says nothing about ages.
    guard !control.noCache, now >= responseTime else { return false }
    return age(at: now) < lifetime
  }

  /// RFC 9111, section 4.2.3.
  func age(at now: Int64) -> Int64 {
    let age = headers.value("Age").flatMap { Int64($0) }.map { min(max(0, $0), Int64(Int32.max)) } ?? 0
    let apparent = max(0, responseTime - date)
    let corrected = age + max(0, responseTime - requestTime)
    return max(apparent, corrected) + max(0, now - responseTime)
  }

  /// Seconds, section 4.2.1; where nothing is said a tenth of the time since the last change, at most a
  /// day (section 4.2.2).
  var lifetime: Int64 {
    if let maxAge = CacheControl(headers.list("Cache-Control")).maxAge { return maxAge }
    if let expires = headers.value("Expires") {
      // Text that is not a date counts as the past (section 5.3).
      return HTTPDate.seconds(expires).map { max(0, $0 - date) } ?? 0
    }
    guard let modified = headers.value("Last-Modified").flatMap({ HTTPDate.seconds($0) }) else { return 0 }
    return min(max(0, date - modified) / 10, 86_400)
  }

  /// By the server's clock; where it did not say, by ours.
  private var date: Int64 { headers.value("Date").flatMap { HTTPDate.seconds($0) } ?? responseTime }

  /// The fields of a request that asks whether this is still right; empty where it cannot be asked.
  var conditions: [HTTPHeader] {
    [("ETag", "If-None-Match"), ("Last-Modified", "If-Modified-Since")].compactMap { field, condition in
      headers.value(field).map { HTTPHeader(name: condition, value: $0) }
    }
  }

  /// Whether a stored copy can ever be used.
  var isUseful: Bool { lifetime > 0 || !conditions.isEmpty }

  /// A 304 may belong to another version than the one that is stored (section 4.3.4).
  func isValidated(by notModified: HTTPResponse) -> Bool {
    guard let theirs = notModified.etag, let ours = headers.value("ETag") else { return true }
    return Self.opaque(theirs) == Self.opaque(ours)
  }

  /// The comparison of RFC 9110, section 8.8.3.2, that takes a weak tag for its strong one.
  private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
}
