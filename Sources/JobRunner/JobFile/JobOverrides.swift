/// What the command line or the environment says over a job's own settings, as typed.
public struct JobOverrides: Sendable, Hashable {
  public var client: String?
  public var cache: String?
  public var policy: String?
  public var scale: String?
  public var encode: String?
  public var embedded: String?
  public var sizeLimit: String?
  public var httpCache: String?
  public var staleIfError: String?
  public var check: String?
  public var limits: [LimitSettings.Name: String] = [:]
  /// Kingfisher's settings; a job of another client warns of them.
  public var style: String?
  public var pathExtension: String?
  public var autoExtension: String?
  public var forcedExtension: String?
  public var expires: String?
  /// Chains for entries that name none.
  public var chains: [String] = []
  public var allowPrivate: [String] = []
  public var rateLimits: [String] = []
  public var perHost: String?

  public init() {}
}
