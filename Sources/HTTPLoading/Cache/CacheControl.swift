/// The directives of `Cache-Control` that a private cache heeds (RFC 9111, section 5.2).
struct CacheControl: Sendable, Hashable {
  var noStore = false
  var noCache = false
  /// What is stale is not to be given out, whatever happens (RFC 9111, section 5.2.2.2).
  var mustRevalidate = false
  /// Seconds. One that makes no sense counts as 0 (section 4.2.1).
  var maxAge: Int64?

  init(_ text: String?) {
    for directive in Self.directives(of: text ?? "") {
      let parts = directive.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count > 1 ? parts[1].filter { $0 != "\"" && $0 != " " } : nil
      switch parts[0].filter({ $0 != " " }).lowercased() {
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

  /// More than fits is as good as for ever (section 1.2.2).
  private static func seconds(_ text: String?) -> Int64 {
    guard let text, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return 0 }
    return Int64(text) ?? Int64(Int32.max)
  }

  /// Commas inside quotes do not part directives.
  private static func directives(of text: String) -> [Substring] {
    var isQuoted = false
    return text.split { character in
      if character == "\"" { isQuoted.toggle() }
      return character == "," && !isQuoted
    }
  }
}
