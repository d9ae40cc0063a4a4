import Digests

/// The directives of `Cache-Control` that a private cache heeds (RFC 9111, section 5.2).
struct CacheControl: Sendable, Hashable {
  var noStore = false
  var noCache = false
  /// Stale responses must not be given out, whatever happens (RFC 9111, section 5.2.2.2).
  var mustRevalidate = false
  /// Seconds. An invalid value counts as 0 (section 4.2.1).
  var maxAge: Int64?

  init(_ text: String?) {
    var isQuoted = false
    // Commas inside quotes do not part directives.
    let directives = (text ?? "").utf8.split { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return byte == UInt8(ascii: ",") && !isQuoted
    }
    for directive in directives {
      let parts = directive.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false
      )
      .map { part in String(decoding: part.filter { $0 != UInt8(ascii: " ") }, as: UTF8.self) }
      let value = parts.count > 1 ? parts[1].filter { $0 != "\"" } : nil
      switch parts[0].lowercased() {
      case "no-store": noStore = true
      // With names of fields it concerns only those, but then nothing is lost by asking.
      case "no-cache": noCache = true
      case "must-revalidate": mustRevalidate = true
      // The first one counts.
      case "max-age" where maxAge == nil: maxAge = Self.seconds(value)
      default: break
      }
    }
  }

  /// A number that is too large counts as the largest (section 1.2.2).
  private static func seconds(_ text: String?) -> Int64 {
    guard let text, !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else { return 0 }
    return Int64(text) ?? Int64(Int32.max)
  }
}

extension HTTPCache {
  /// RFC 9111, section 3, for a private cache; and only what is certainly whole.
  static func isStorable(_ answer: HTTPResponse, to request: HTTPRequest) -> Bool {
    answer.status == 200 && answer.redirects == 0 && !answer.isLengthUnverified
      && !StoredResponse.variesByAll(answer.fields)
      && !CacheControl(answer.fields.list("Cache-Control")).noStore
      && !CacheControl(request.headers.list("Cache-Control")).noStore
  }

  /// The file of a URL for one set of credentials: users do not see each other's responses.
  static func name(of request: HTTPRequest) -> String {
    if let known = request.cacheName { return known }
    var text = Array(request.url.utf8.prefix { $0 != UInt8(ascii: "#") })
    for field in ["Authorization", "Cookie"] { text += "\n\(request.headers.list(field) ?? "")".utf8 }
    return hexadecimal(SHA256.hash(text))
  }

  static func response(
    _ stored: StoredResponse, _ body: [UInt8], from source: HTTPResponse.Source
  ) -> HTTPResponse {
    var response = HTTPResponse(body: body, fields: stored.fields)
    response.source = source
    response.bodyDigest = stored.bodyDigest
    return response
  }
}
