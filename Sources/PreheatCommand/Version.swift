/// The version of this program.
public enum Version {
  public static let text = "0.1.0"
  /// The day of the release, for the man page; fixed, so that the page is the same wherever it is made.
  static let day = "2026-11-21"
}
