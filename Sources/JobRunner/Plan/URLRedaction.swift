/// Blots credentials out of URLs before people or logs see them: user info, and the values of query
/// items whose names say that they are secret. All else stays, so that a URL can be recognised.
public enum URLRedaction {
  /// The text with `*` in place of credentials. Works on any text that may hold a URL, such as a key.
  public static func redacted(_ text: String) -> String {
    String(decoding: SecretMask.masked(Array(text.utf8)[...]), as: UTF8.self)
  }
}
