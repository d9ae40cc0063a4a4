/// What the command line or the environment says over a job's own settings, as typed.
package struct JobOverrides: Sendable, Hashable {
  package var client: String?
  package var cache: String?
  package var policy: String?
  package var scale: String?
  package var encode: String?
  package var embedded: String?
  package var sizeLimit: String?
  package var httpCache: String?
  package var staleIfError: String?
  package var check: String?
  package var limits: [LimitSettings.Name: String] = [:]
  /// Kingfisher's settings; a job of another client warns of them.
  package var style: String?
  package var pathExtension: String?
  package var autoExtension: String?
  package var forcedExtension: String?
  package var expires: String?
  /// Chains for entries that name none.
  package var chains: [String] = []
  package var allowPrivate: [String] = []
  package var rateLimits: [String] = []
  package var perHost: String?

  package init() {}
}
