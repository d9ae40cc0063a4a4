/// Why a signpost log cannot be read.
public struct SignpostLogFailure: Error, Hashable, Sendable {
  /// What to do about it included.
  public var message: String

  static func notALog(_ path: String) -> Self {
    Self(message: "\(path) is no signpost log; one is written by preheat run --signposts FILE")
  }

  static func newer(_ path: String, version: Int) -> Self {
    Self(
      message:
        "\(path) has version \(version) of the log; this program reads up to \(SignpostLogExporter.version)")
  }
}
