import CCurl

/// What the transfers stand on, for people who look for the cause of something.
public enum HTTPLibrary {
  /// libcurl's version and those of the libraries it uses, in its own words.
  public static var version: String { String(cString: pcurl_version_text()) }

  /// The file of CA certificates that libcurl was built with, if it names one.
  public static var certificates: String? { pcurl_certificates().map { String(cString: $0) } }
}
