import CCurl
import Signposts
import Text

/// An http or https URL taken apart by libcurl itself, so that checks and connections see the same host.
final class HTTPURL: Sendable {
  /// As it goes to libcurl: normalised, without user info and fragment.
  let text: String
  let scheme: String
  /// Lower case; an IPv6 address without its brackets, a numeric host in its usual spelling.
  let host: String
  let port: Int
  let user: String?
  let password: String?
  /// Scheme, host and port: who may see the request's headers, and whose places a transfer takes.
  let origin: String
  /// Host and port as they are written in a URL.
  let authority: String
  /// The server for people: with the port only where it is not the scheme's default.
  let server: String

  var isHTTPS: Bool { scheme == "https" }

  /// - Throws: `fetch.url` when the text is not an absolute http or https URL.
  init(_ text: String) throws(HTTPFailure) {
    func refuse(_ reason: String) -> HTTPFailure {
      HTTPFailure(.url, "\(RedactedURL(text)) is not a URL that can be fetched: \(reason)")
    }
    // A NUL would end the text early for C, and the rest would escape every check.
    guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f }) else {
      throw refuse("it holds control characters")
    }
    var reason: UnsafePointer<CChar>?
    guard let url = pcurl_url_parse(text, &reason) else {
      throw refuse(reason.map { String(cString: $0) } ?? "malformed")
    }
    defer { pcurl_url_free(url) }
    func part(_ part: pcurl_part) -> String? { pcurl_url_part(url, part).map { String(cString: $0) } }

    guard let scheme = part(PCURL_SCHEME)?.lowercased(), scheme == "http" || scheme == "https" else {
      throw refuse("only http and https are fetched")
    }
    user = part(PCURL_USER)
    password = part(PCURL_PASSWORD)
    guard let host = part(PCURL_HOST), !host.isEmpty, let port = part(PCURL_PORT).flatMap({ Int($0) }),
      let whole = part(PCURL_WHOLE)
    else { throw refuse("it names no host") }
    self.text = whole
    self.scheme = scheme
    self.host = (host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host).lowercased()
    self.port = port
    let name = self.host.utf8.contains(UInt8(ascii: ":")) ? "[\(self.host)]" : self.host
    authority = "\(name):\(port)"
    server = port == (scheme == "https" ? 443 : 80) ? name : authority
    origin = "\(scheme)://\(authority)"
  }
}

/// The one name of a server in recordings and what is made of them.
package enum ServerName {
  /// Nil for anything but an http or https URL.
  package static func of(_ url: String) -> String? { try? HTTPURL(url).server }

  package static func metadata(of url: String) -> SignpostMetadata {
    var metadata: SignpostMetadata = [.url: .url(url)]
    if let server = of(url) { metadata[.host] = .text(server) }
    return metadata
  }
}
