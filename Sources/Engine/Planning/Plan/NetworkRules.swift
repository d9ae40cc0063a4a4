import Fetching

/// What a job says about the network; jobs that say the same share a loader and their downloads.
package struct NetworkRules: Sendable, Hashable {
  /// Hosts at private addresses that the job allows.
  package var allowPrivate: [String] = []
  package var rateLimits: [HTTPRateLimit] = []
  var connectionsPerHost: Int?
  var signatures: [JobSettings.HostSignature] = []

  /// The loader's configuration with the job's wishes in it.
  package func apply(to configuration: HTTPConfiguration, credentials: HTTPSigning.Credentials?)
    -> HTTPConfiguration
  {
    var configuration = configuration
    configuration.allowPrivate += allowPrivate
    configuration.rateLimits = rateLimits + configuration.rateLimits
    if let connectionsPerHost { configuration.maxConcurrentPerHost = connectionsPerHost }
    if let credentials {
      configuration.signings += signatures.map {
        HTTPSigning(host: $0.host, scope: $0.scope, credentials: credentials)
      }
    }
    return configuration
  }
}

extension JobSettings {
  package var network: NetworkRules {
    NetworkRules(
      allowPrivate: allowPrivate, rateLimits: rateLimits, connectionsPerHost: connectionsPerHost,
      signatures: signatures)
  }
}
