import CCurl

/// A header field. Its value may be a secret, so it never prints.
public struct HTTPHeader: Sendable, Hashable, CustomStringConvertible {
  /// The name, in whatever case.
  public var name: String
  /// The value, perhaps a secret.
  public var value: String

  /// A field. What may not stand in a header is found when it is sent (`fetch.url`).
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }

  /// A field as it came, without the blanks around its value; nil for a blank field, which counts as an absent one.
  init?(received name: String, _ value: String) {
    func isText(_ byte: UInt8) -> Bool { byte > 0x20 && byte != 0x7f }
    let bytes = value.utf8
    guard let first = bytes.firstIndex(where: isText), let last = bytes.lastIndex(where: isText) else {
      return nil
    }
    let text = String(Substring(bytes[first...last]))
    // It would be compared for a long time.
    guard text.excessiveMark == nil else { return nil }
    self.init(name: name, value: text)
  }

  var isCookie: Bool { isNamed("Cookie") }

  /// Case does not matter (RFC 9110, section 5.1). Each answer has some fields and is asked for many names.
  func isNamed(_ name: String) -> Bool {
    self.name.utf8.count == name.utf8.count
      && self.name.utf8.elementsEqual(name.utf8) { $0 == $1 || ($0 ^ $1 == 0x20 && $0.isLetter) }
  }

  /// The name without the value.
  public var description: String { "\(name): (hidden)" }

  /// The form libcurl takes: an empty value needs a semicolon, or the field would be removed.
  var curlLine: String { value.isEmpty ? "\(name);" : "\(name): \(value)" }

  /// - Throws: `fetch.url` when name or value could break out of their line. The value is never shown.
  func check() throws(HTTPFailure) {
    guard !name.isEmpty, name.utf8.allSatisfy(\.isToken) else {
      throw HTTPFailure(.url, "a header name may hold letters, digits and !#$%&'*+-.^_`|~ only")
    }
    guard !value.unicodeScalars.contains(where: { $0 == "\r" || $0 == "\n" || $0 == "\0" }) else {
      throw HTTPFailure(.url, "the value of the header \(name) holds a line break or a NUL")
    }
  }
}

/// A field for a host that a redirect leads to.
package struct HTTPHostHeader: Sendable, Hashable {
  /// `host` or `host:port`.
  package var host: String
  package var header: HTTPHeader

  package init(host: String, header: HTTPHeader) {
    (self.host, self.header) = (host, header)
  }
}

extension [HTTPHeader] {
  /// The value of the last field of this name.
  package func value(_ name: String) -> String? {
    last { $0.isNamed(name) }?.value
  }

  /// The values of all fields of this name as one list (RFC 9110, section 5.3).
  func list(_ name: String) -> String? {
    let values = filter { $0.isNamed(name) }.map(\.value)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  /// Seconds the server asked to be left alone (RFC 9110, section 10.2.3), never negative. Its own clock counts for a
  /// date, so a wrong one of ours does not matter.
  func retryAfterSeconds(now: Int64 = HTTPDate.now) -> Int64? {
    guard let retryAfter = value("Retry-After") else { return nil }
    let words = retryAfter.split { $0 == " " || $0 == "\t" }
    if words.count == 1, words[0].utf8.allSatisfy(\.isDigit) {
      return Int64(words[0]) ?? .max  // more than fits is still a number of seconds
    }
    let serverNow = value("Date").flatMap { HTTPDate.seconds($0) } ?? now
    return HTTPDate.seconds(retryAfter).map { Swift.max(0, $0 - serverNow) }
  }
}

/// The `Content-Range` field of a part: `bytes 200-999/1000` (RFC 9110, section 14.4).
package struct ContentRange: Sendable, Hashable {
  package var first: Int
  package var last: Int
  /// Nil where the server does not know it (`*`).
  package var total: Int?

  /// Nil for text that is not such a range, or contradicts itself.
  package init?(_ text: String?) {
    guard let text, text.lowercased().hasPrefix("bytes ") else { return nil }
    let parts = text.dropFirst(6).filter { $0 != " " }.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false).map { Self.number($0) }
    // The place behind the last byte is a number, too.
    guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last, last < .max else {
      return nil
    }
    (self.first, self.last) = (first, last)
    if parts[1] == "*" { return }
    guard let total = Self.number(parts[1]), last < total else { return nil }
    self.total = total
  }

  private static func number(_ text: some StringProtocol) -> Int? {
    text.utf8.allSatisfy(\.isDigit) ? Int(text) : nil
  }
}

/// Dates of HTTP fields (RFC 9110, section 5.6.7).
enum HTTPDate {
  /// Seconds since 1970, or `nil` when the text is not a date.
  static func seconds(_ text: String) -> Int64? {
    // libcurl reads "Monday" and bare numbers as dates too; all three forms of the RFC hold a time.
    guard text.contains(":"), !text.utf8.contains(0) else { return nil }
    let seconds = pcurl_date_parse(text)
    return seconds < 0 ? nil : seconds
  }

  /// Seconds since 1970 by this machine's clock.
  static var now: Int64 { pcurl_date_now() }
}
