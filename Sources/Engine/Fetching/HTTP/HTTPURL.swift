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
    guard let url = curl_url() else { throw refuse("out of memory") }
    defer { curl_url_cleanup(url) }
    let asWritten = UInt32(CURLU_URLENCODE | CURLU_ALLOW_SPACE | CURLU_PATH_AS_IS)
    let status = curl_url_set(url, CURLUPART_URL, text, asWritten)
    guard status == CURLUE_OK else { throw refuse(String(cString: curl_url_strerror(status))) }
    func part(_ part: CURLUPart, _ flags: Int32 = 0) -> String? {
      // fits: one flag.
      let flags = UInt32(flags)
      var text: UnsafeMutablePointer<CChar>?
      defer { curl_free(text) }
      return curl_url_get(url, part, &text, flags) == CURLUE_OK
        ? text.map { String(cString: $0) } : nil
    }

    guard let scheme = part(CURLUPART_SCHEME)?.lowercased(), scheme == "http" || scheme == "https" else {
      throw refuse("only http and https are fetched")
    }
    user = part(CURLUPART_USER, CURLU_URLDECODE)
    password = part(CURLUPART_PASSWORD, CURLU_URLDECODE)
    for part in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS, CURLUPART_FRAGMENT] {
      curl_url_set(url, part, nil, 0)
    }
    guard let host = part(CURLUPART_HOST), !host.isEmpty,
      let port = part(CURLUPART_PORT, CURLU_DEFAULT_PORT).flatMap({ Int($0) }),
      let whole = part(CURLUPART_URL)
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
