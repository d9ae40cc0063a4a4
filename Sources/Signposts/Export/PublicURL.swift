/// What everybody may read of a URL.
public enum PublicURL {
  private static let longest = 500

  /// Without user info, query and fragment; of a `data:` URL only the scheme.
  public static func text(_ url: String) -> String {
    let bare = url.prefix { $0 != "?" && $0 != "#" }
    guard let scheme = bare.firstRange(of: "://") else {
      return bare.prefix(5).lowercased() == "data:" ? "data:..." : cut(withoutUser(bare[...]))
    }
    let rest = bare[scheme.upperBound...]
    let authority = rest.prefix { $0 != "/" }
    // "user:pa/ss@host": what is taken for a path may be the rest of a password.
    let path = rest[authority.endIndex...]
    guard isHost(withoutUser(authority)) else { return "\(bare[..<scheme.upperBound])..." }
    return cut("\(bare[..<scheme.upperBound])\(withoutUser(authority))\(path)")
  }

  /// Host and, where it is written, port; nil where the URL has none.
  public static func host(_ url: String) -> String? {
    guard let scheme = url.firstRange(of: "://") else { return nil }
    let authority = url[scheme.upperBound...].prefix { !"/?#".contains($0) }
    let host = withoutUser(authority)
    return host.isEmpty || !isHost(host) ? nil : host.lowercased()
  }

  private static func withoutUser(_ text: Substring) -> String {
    text.lastIndex(of: "@").map { String(text[text.index(after: $0)...]) } ?? String(text)
  }

  private static func isHost(_ text: String) -> Bool {
    let tail = text.lastIndex(of: "]").map { text[text.index(after: $0)...] } ?? text[...]
    guard let colon = tail.firstIndex(of: ":") else { return true }
    return tail[tail.index(after: colon)...].allSatisfy { $0.isASCII && $0.isNumber }
  }

  private static func cut(_ text: String) -> String {
    text.unicodeScalars.count <= longest ? text : String(text.unicodeScalars.prefix(longest)) + "..."
  }
}
