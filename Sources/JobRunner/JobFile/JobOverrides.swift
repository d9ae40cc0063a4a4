/// What the command line or the environment says over a job's own settings, as typed.
public struct JobOverrides: Sendable, Hashable {
  public var client: String?
  public var cache: String?
  public var policy: String?
  public var scale: String?
  public var encode: String?
  public var embedded: String?
  public var sizeLimit: String?
  /// Chains for entries that name none.
  public var chains: [String] = []
  public var allowPrivate: [String] = []

  public init() {}
}
