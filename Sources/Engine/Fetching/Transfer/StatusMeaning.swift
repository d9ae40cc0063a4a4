/// What a status is about that brings no picture, and so what is asked next. There is no other table of statuses in the
/// code; docs/troubleshooting.md has it for people.
enum StatusMeaning: Sendable, Hashable {
  /// It is final.
  case picture
  /// Asked again after a wait.
  case moment
  /// The same, and no other request goes to the host meanwhile.
  case host
  /// Asked again over a connection of its own.
  case connection
  /// Asked again without a condition, and so that no cache takes it for a request with one.
  case condition
  /// Asked again over HTTP/2, where the host has that.
  case version

  /// - Parameter isConditional: the request has a condition.
  init(_ status: Int, isConditional: Bool = false) {
    self =
      switch status {
      // 202: the picture is not made yet. 507 is WebDAV's, 509 and 529 those of hosts that limit, 52x and 530
      // Cloudflare's for an origin that is away, 598 and 599 those of proxies.
      case 202, 408, 425, 500, 502, 504, 507, 509, 520...524, 527, 529, 530, 598, 599: .moment
      case 429, 503: .host
      case 421: .connection
      case 304 where !isConditional, 400 where isConditional, 412 where isConditional,
        501 where isConditional:
        .condition
      case 426, 505: .version
      default: .picture
      }
  }

  /// A later request may be answered differently.
  var passes: Bool { [.moment, .host, .connection, .condition].contains(self) }
}
