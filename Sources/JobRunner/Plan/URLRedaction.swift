import Foundation

/// Blots credentials out of URLs before people or logs see them: user info, and the values of query
/// items whose names say that they are secret. All else stays, so that a URL can be recognised.
public enum URLRedaction {
  /// Parts of query item names that give a credential away.
  private static let secretNames = [
    "token", "sig", "signature", "secret", "password", "passwd", "pwd", "auth", "apikey", "api_key", "api-key",
    "credential", "session", "jwt", "x-amz-", "x-goog-", "policy", "key-pair-id", "hmac",
  ]

  /// Whether a query item of this name likely carries a credential.
  public static func isSecret(queryName name: String) -> Bool {
    let name = name.lowercased()
    return name == "key" || secretNames.contains { name.contains($0) }
  }

  /// The text with `(hidden)` in place of credentials. Works on any text that may hold a URL, such as a key.
  public static func redacted(_ text: String) -> String {
    redactedQuery(redactedUserInfo(text))
  }

  private static func redactedUserInfo(_ text: String) -> String {
    guard let scheme = text.range(of: "://") else { return text }
    let authority = text[scheme.upperBound...].prefix { !"/?#".contains($0) }
    guard let at = authority.lastIndex(of: "@") else { return text }
    return text[..<scheme.upperBound] + "(hidden)" + text[at...]
  }

  private static func redactedQuery(_ text: String) -> String {
    guard let mark = text.firstIndex(of: "?") else { return text }
    let rest = text[text.index(after: mark)...]
    let query = rest.prefix { $0 != "#" }
    let items = query.split(separator: "&", omittingEmptySubsequences: false).map { item -> String in
      guard let equals = item.firstIndex(of: "="), isSecret(queryName: String(item[..<equals])) else {
        return String(item)
      }
      return item[...equals] + "(hidden)"
    }
    return text[...mark] + items.joined(separator: "&") + rest.dropFirst(query.count)
  }
}
