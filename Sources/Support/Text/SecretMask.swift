/// Finds what looks like a secret in URLs, so that no message shows it.
package enum SecretMask {
  /// `text` with user information and the values of query items turned into `*`, one for each character, so that
  /// columns stay right. Values stay whose names say that they are about the picture, such as `w` and `format`: what
  /// servers call their tokens cannot be listed.
  ///
  /// It need not be a valid URL, nor a URL at all: a line that does not parse is shown too. Rather
  /// too much is hidden than too little.
  package static func masked(_ text: ArraySlice<UInt8>) -> [UInt8] {
    maskedWhereNeeded(text) ?? Array(text)
  }

  /// The same, nil where there is nothing to hide.
  ///
  /// - Parameter knownOnly: hides what ``holdsCredential(_:)`` finds and leaves all else.
  static func maskedWhereNeeded(_ text: ArraySlice<UInt8>, knownOnly: Bool = false) -> [UInt8]? {
    var hidden: [Range<Int>] = []
    findUserInformation(in: text, &hidden)
    findQueryValues(in: text, &hidden) { knownOnly ? isSecretName($0) : !isHarmlessName($0) }
    if !knownOnly { findBareItems(in: text, &hidden) }
    if hidden.allSatisfy(\.isEmpty) { return nil }
    var mask = [Bool](repeating: false, count: text.count)
    for range in hidden {
      for index in range { mask[index - text.startIndex] = true }
    }
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    for (byte, isHidden) in zip(text, mask) {
      if !isHidden { result.append(byte) } else if byte & 0xC0 != 0x80 { result.append(UInt8(ascii: "*")) }
    }
    return result
  }

  /// Whether `text` holds what is known to be a credential: user information, or a query item that
  /// ``isSecretName(_:)`` knows.
  package static func holdsCredential(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    var found: [Range<Int>] = []
    findUserInformation(in: bytes[...], &found)
    findQueryValues(in: bytes[...], &found, where: isSecretName)
    return found.contains { !$0.isEmpty }
  }

  /// Whether a query item of this name is about the picture and no secret, whatever the server.
  static func isHarmlessName(_ name: ArraySlice<UInt8>) -> Bool {
    harmless.contains(String(decoding: name, as: UTF8.self).lowercased())
  }

  private static let harmless: Set<String> = [
    "w", "h", "q", "x", "y", "width", "height", "size", "quality", "format", "fm", "f", "ext", "type", "fit",
    "crop",
    "rect", "mode", "dpr", "scale", "ratio", "ar", "aspect", "resize", "upscale", "enlarge", "rotate", "rot",
    "orient", "flip", "blur", "sharp", "radius", "border", "bg", "background", "color", "colour", "auto",
    "lossless",
    "progressive", "v", "ver", "version", "rev", "page", "frame", "lang", "locale", "theme", "platform",
    // Names in the query part of the clients' own keys.
    "cm", "contentmode", "name", "mxs", "maxpixelsize", "options",
  ]

  /// Whether a query item of this name is likely to carry a credential.
  package static func isSecretName(_ name: ArraySlice<UInt8>) -> Bool {
    guard name.count <= 80 else { return false }
    // Most names are so short, and only one of them is a secret.
    if name.count < 3 { return name.elementsEqual("s".utf8) || name.elementsEqual("S".utf8) }
    let text = String(decoding: PercentText.lenientBytes(name), as: UTF8.self).lowercased()
    if whole.contains(text) || endings.contains(where: text.hasSuffix) { return true }
    if families.contains(where: text.hasPrefix) { return true }
    let last = text.split(whereSeparator: { "-_.[]".contains($0) }).last.map(String.init)
    return last.map(words.contains) ?? false
  }

  /// Items that sign a URL together (AWS, Google Cloud Storage).
  package static let families = ["x-amz-", "x-goog-"]

  private static let words: Set<String> = [
    "authkey", "authcode", "code", "otp", "pin", "nonce", "upt", "md5", "hdntl", "phpsessid", "jsessionid",
    "aspsessionid", "cookie", "csrf", "xsrf", "saml", "samlresponse", "oauth", "assertion",
    "token", "sig", "sign", "signature", "hmac", "auth", "authorization", "key", "apikey", "password",
    "passwd", "pwd", "pass", "secret", "session", "sessionid", "sid", "jwt", "bearer", "ticket", "credential",
    "credentials",
  ]
  private static let whole: Set<String> = [
    // imgix and others sign with one letter.
    "s", "session_id", "session-id", "awsaccesskeyid", "googleaccessid", "key-pair-id", "policy", "hdnea",
    "hdnts",
  ]
  private static let endings = ["token", "signature", "secret", "password", "apikey", "credential"]

  /// `user:password@` behind `://`, behind `//` that begins a word, or at the start of a word.
  private static func findUserInformation(in text: ArraySlice<UInt8>, _ hidden: inout [Range<Int>]) {
    var start = text.startIndex
    while let at = text[start...].firstIndex(of: UInt8(ascii: "@")) {
      let word = text[start..<at].lastIndex(where: isBreak).map { $0 + 1 } ?? start
      let end = text[at...].firstIndex(where: isBreak) ?? text.endIndex
      start = end
      let body = text[word..<end]
      let slashes = body.slashes
      let authority = slashes.map { $0 + 3 } ?? (body.starts(with: "//".utf8) ? word + 2 : word)
      let stop = body[authority...].firstIndex { "/?#".utf8.contains($0) } ?? end
      // Without a scheme `logo@2x.png` is a name.
      if let last = body[authority..<stop].lastIndex(of: UInt8(ascii: "@")),
        slashes != nil || body[authority..<last].contains(UInt8(ascii: ":"))
      {
        hidden.append(authority..<last)
      }
      // A password with a raw slash, `?` or `#` ends the authority too early; a port has digits only.
      if let colon = body[authority..<stop].firstIndex(of: UInt8(ascii: ":")),
        !body[(colon + 1)..<stop].allSatisfy(\.isDigit) || colon + 1 == stop,
        let last = body[authority...].lastIndex(of: UInt8(ascii: "@"))
      {
        hidden.append(authority..<last)
      }
    }
  }

  /// `?name=value`, also percent-encoded as the value of another item.
  private static func findQueryValues(
    in text: ArraySlice<UInt8>, _ hidden: inout [Range<Int>], where isHidden: (ArraySlice<UInt8>) -> Bool
  ) {
    var index = text.startIndex
    var quoted = false
    var name: Int?
    while index < text.endIndex {
      if text[index] == UInt8(ascii: "\"") { quoted.toggle() }
      let (byte, length) = decoded(text, index)
      defer { index += length }
      switch byte {
      case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "#"), UInt8(ascii: ";"): name = index + length
      case UInt8(ascii: " "), 9: if !quoted { name = nil }
      case UInt8(ascii: "="):
        guard let start = name, start <= index else { break }
        name = nil
        guard isHidden(text[start..<index]) else { break }
        let value = index + length
        if isSize(text[value...], named: text[start..<index]) { break }
        let end =
          text[value...].firstIndex {
            $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "#") || (!quoted && ($0 == 32 || $0 == 9))
              || $0 == UInt8(ascii: "\"")
          } ?? text.endIndex
        hidden.append(value..<end)
        index = max(index, end - length)
      default: break
      }
    }
  }

  /// `s=(320.0, 9999.0)` of a client's key, to the last bracket: the name alone may stand for a signature.
  private static func isSize(_ value: ArraySlice<UInt8>, named name: ArraySlice<UInt8>) -> Bool {
    guard name.elementsEqual("s".utf8), value.first == UInt8(ascii: "("),
      let end = value.firstIndex(of: UInt8(ascii: ")"))
    else { return false }
    let parts = value[(value.startIndex + 1)..<end].split(
      separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    return parts.count == 2
      && parts.allSatisfy { $0.allSatisfy { $0.isDigit || $0 == 32 || $0 == UInt8(ascii: ".") } }
  }

  /// `?TOKEN` and `?TOKEN==`: an item without a value is one, unless it is about the picture, or a number such as a date.
  private static func findBareItems(in text: ArraySlice<UInt8>, _ hidden: inout [Range<Int>]) {
    var index = text.startIndex
    while let mark = text[index...].firstIndex(of: UInt8(ascii: "?")) {
      let query = text[(mark + 1)...].prefix {
        !isBreak($0) && $0 != UInt8(ascii: "#") && $0 != UInt8(ascii: "?")
      }
      index = query.startIndex
      while index < query.endIndex {
        let item = query[index...].prefix { $0 != UInt8(ascii: "&") }
        let name = item.prefix { $0 != UInt8(ascii: "=") }
        index = min(item.endIndex + 1, query.endIndex)
        // The signs at its end may be those of base64.
        guard item[name.endIndex...].allSatisfy({ $0 == UInt8(ascii: "=") }), !isHarmlessName(name) else {
          continue
        }
        if name.count > 14 || !name.allSatisfy(\.isDigit) { hidden.append(name.indices) }
      }
    }
  }

  /// The byte at `index`, undoing the percent-encoding of delimiters.
  private static func decoded(_ text: ArraySlice<UInt8>, _ index: Int) -> (UInt8, length: Int) {
    guard text[index] == UInt8(ascii: "%"), text.endIndex - index >= 3 else { return (text[index], 1) }
    switch (text[index + 1], text[index + 2] | 0x20) {
    case (UInt8(ascii: "3"), UInt8(ascii: "f")): return (UInt8(ascii: "?"), 3)
    case (UInt8(ascii: "3"), UInt8(ascii: "d")): return (UInt8(ascii: "="), 3)
    case (UInt8(ascii: "2"), UInt8(ascii: "6")): return (UInt8(ascii: "&"), 3)
    case (UInt8(ascii: "2"), UInt8(ascii: "3")): return (UInt8(ascii: "#"), 3)
    default: return (text[index], 1)
    }
  }

  private static func isBreak(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == UInt8(ascii: "\"") }
}

extension ArraySlice<UInt8> {
  /// Where the first `://` begins.
  fileprivate var slashes: Int? {
    indices.dropLast(2).first {
      self[$0] == UInt8(ascii: ":") && self[$0 + 1] == UInt8(ascii: "/") && self[$0 + 2] == UInt8(ascii: "/")
    }
  }
}

/// Blots credentials out of URLs before people or logs see them: user info, and the values of query items but of
/// those that are about the picture. All else stays, so that a URL can be recognised.
package enum URLRedaction {
  /// The text with `*` in place of credentials. Works on any text that may hold a URL, such as a key.
  package static func redacted(_ text: String) -> String { masked(text, knownOnly: false) }

  /// The text with `*` in place of what is known to be a credential, see ``SecretMask/holdsCredential(_:)``.
  package static func withoutCredentials(_ text: String) -> String { masked(text, knownOnly: true) }

  /// A key. What is hidden in the URL that it begins with ends where the client's own part begins, of which only known
  /// credentials are hidden: processors have values of any name.
  ///
  /// - Parameters:
  ///   - source: the URL as it is shown, with `*` for each character that is hidden; nil where it is not known.
  ///   - own: hides what is to be hidden of the client's part.
  ///   - other: the same of a key that does not begin with the URL.
  package static func key(
    _ key: String, source: String?, own: (String) -> String = withoutCredentials,
    other: (String) -> String = redacted
  ) -> String {
    guard let source, !key.hasBytes(of: source) else { return source ?? other(key) }
    guard let end = end(of: source, in: key) else { return other(key) }
    return source + (end == key.endIndex ? "" : own(String(key[end...])))
  }

  /// Nil where a key does not begin with the URL, or goes on with more of a URL.
  private static func end(of source: String, in key: String) -> String.Index? {
    var end = key.startIndex
    if key.utf8.starts(with: source.utf8) {
      end = key.utf8.index(end, offsetBy: source.utf8.count)
    } else {
      for scalar in source.unicodeScalars {
        guard end < key.endIndex, scalar == "*" || scalar == key.unicodeScalars[end] else { return nil }
        key.unicodeScalars.formIndex(after: &end)
      }
    }
    return end < key.endIndex && "?#&;/=".unicodeScalars.contains(key.unicodeScalars[end]) ? nil : end
  }

  private static func masked(_ text: String, knownOnly: Bool) -> String {
    // Whatever is hidden stands beside one of % = ? @.
    if SafeText.isPlain(text, { $0 != 0x25 && $0 != 0x3d && $0 != 0x3f && $0 != 0x40 }) { return text }
    // The text itself where nothing is hidden: of a long run's sources there is no second copy then.
    return SecretMask.maskedWhereNeeded(Array(text.utf8)[...], knownOnly: knownOnly)
      .map { String(decoding: $0, as: UTF8.self) } ?? text
  }
}
