import Text

extension HTTPFailure {
  /// What went wrong without the URL: what the failures of many URLs of one host have in common. Nil where the message
  /// does not begin with a URL.
  package var cause: String? {
    guard message.hasPrefix("http://") || message.hasPrefix("https://"),
      let mark = message.firstRange(of: ": ")
    else { return nil }
    // What stands behind the host may have been cut or masked, so that it is no URL any more.
    let url = message[..<mark.lowerBound]
    let scheme = url.firstRange(of: "://")?.upperBound ?? url.startIndex
    let origin = url[..<scheme] + url[scheme...].prefix { !"/?#".contains($0) }
    let host = ServerName.of(String(origin)) ?? "a host"
    var rest = message[mark.upperBound...]
    // How often it was tried is another number for each.
    if let tries = rest.firstRange(of: " (after ") { rest = rest[..<tries.lowerBound] }
    switch code {
    case .status where status != 206:
      // The advice, which is the same for each.
      let advice = rest.firstIndex(of: ";").map { rest[$0...] } ?? ""
      return status.map { "HTTP \($0) from \(host)\(advice)" }
    case .redirect:
      // The places that follow are each URL's own.
      return "\(rest.firstRange(of: ": ").map { rest[..<$0.lowerBound] } ?? rest), from \(host)"
    default:
      // Without the port, which not every message has.
      let name = host.hasPrefix("[") ? host : String(host.prefix { $0 != ":" })
      return rest.contains(name) ? String(rest) : "\(rest), from \(host)"
    }
  }
}
