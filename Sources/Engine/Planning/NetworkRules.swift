import JobFile

/// What a job says about the network; jobs that say the same share a loader and their downloads.
package struct NetworkRules: Sendable, Hashable {
  /// Hosts at private addresses that the job allows.
  package var allowPrivate: [String]
  package var rateLimits: [RateLimit]
  package var connectionsPerHost: Int?
  package var signatures: [HostSignature]

  package init(_ settings: JobSettings) {
    allowPrivate = settings.allowPrivate
    rateLimits = settings.rateLimits
    connectionsPerHost = settings.connectionsPerHost
    signatures = settings.signatures
  }
}
