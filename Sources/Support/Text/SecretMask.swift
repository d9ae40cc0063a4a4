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
    var reader = SecretReader(text, knownOnly: knownOnly)
    reader.read()
    if reader.hidden.isEmpty { return nil }
    var mask = [Bool](repeating: false, count: text.count)
    for range in reader.hidden {
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
    var reader = SecretReader(Array(text.utf8)[...], knownOnly: true)
    reader.read()
    return !reader.hidden.isEmpty
  }

  /// Whether a query item of this name is about the picture and no secret, whatever the server.
  static func isHarmlessName(_ name: ArraySlice<UInt8>) -> Bool {
    name.count <= 16 && harmless.contains(String(decoding: name, as: UTF8.self).lowercased())
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

  /// Longer ones are not names.
  package static let longestName = 80

  /// Whether a query item of this name is likely to carry a credential.
  package static func isSecretName(_ name: ArraySlice<UInt8>) -> Bool {
    guard name.count <= longestName else { return false }
    // Most names are so short, and only one of them is a secret.
    if name.count < 3 { return name.elementsEqual("s".utf8) || name.elementsEqual("S".utf8) }
    let text = String(decoding: PercentText.lenientBytes(name), as: UTF8.self).lowercased()
    if whole.contains(text) || endings.contains(where: text.hasSuffix) { return true }
    if families.contains(where: text.hasPrefix) { return true }
    let last = text.split(whereSeparator: { "-_.[]".contains($0) }).last.map(String.init)
    return last.map(words.contains) ?? false
  }

  /// Items that sign a URL together (AWS, Google Cloud Storage).
  private static let families = ["x-amz-", "x-goog-"]

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
  /// - Parameter source: the URL as it is shown, with `*` for each character that is hidden; nil where it is not known.
  package static func key(_ key: String, source: String?) -> String {
    guard let source, !key.hasBytes(of: source) else { return source ?? redacted(key) }
    guard let end = end(of: source, in: key) else { return redacted(key) }
    return source + withoutCredentials(String(key[end...]))
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
