import ClientKit
import ClientRegistry
import Pictures
import Syntax

/// What the settings of a job say, flags and environment already laid over them.
package struct JobSettings: Sendable {
  /// As given: a path, or `-` for standard input.
  package var path: String
  package var client: CacheClient
  package var origin = ReleaseOrigin()
  /// Absolute path of the cache folder as it was named.
  package var namedCache: String
  /// The same with links followed: the folder that it is, by whatever name.
  package var cache: String
  /// All settings that were given.
  package var values: SettingValues
  /// What the command line says of the job.
  package let given: GivenSettings

  /// - Parameter own: what some job lines have for themselves.
  package func makeClient(_ own: [String: String] = [:]) -> (any ImageClient)? {
    ClientRegistry.make(client, values, own)
  }

  /// Screen scales, ascending, each once.
  package var scales: [Double] { values[JobKey.scale] }
  package var encoding: EncodingChoice { values[JobKey.encode] }
  /// Whether embedded thumbnails may be drawn from.
  package var embedded: EmbeddedUse { values[JobKey.embedded] }
  package var drawing: Drawing { values[JobKey.drawing] }
  /// Whether a run is to remove what it finds in the cache and no job names.
  package var asksForPruning: Bool { values[JobKey.prune] }
}

/// How requests to a host are signed: AWS Signature Version 4.
package struct HostSignature: Sendable, Hashable {
  package var host: String
  /// `aws:amz:REGION:SERVICE`.
  package var scope: String
}

/// A header for one host's requests. Its value may be a secret, so it never prints.
package struct HostHeader: Sendable, Hashable, CustomStringConvertible {
  package var host: String
  package var name: String
  package var value: String
  /// Its value comes from a variable of the environment.
  package var isSecret = false

  package var description: String { "\(host) \(name): (hidden)" }

  /// Whether a server may lead a request to its host that then has it.
  package var mayFollowRedirects: Bool {
    !isSecret && !["authorization", "cookie"].contains(name.lowercased())
  }
}

package struct RateLimit: Sendable, Hashable {
  /// `host`, `host:port` or `*.suffix`; nil for each host that no other limit names.
  package var host: String?
  package var requestsPerSecond: Double
  /// Requests that may go out at once after a pause.
  package var burst = 1
}

/// When servers are asked whether a source has changed.
package enum Revalidation: String, Sendable, Hashable, CaseIterable {
  case stale, always
}

/// What an original has to prove before it is stored as it came.
package enum OriginalCheck: String, Sendable, Hashable, CaseIterable {
  /// It is whole, by its marks and checksums (`PictureStructure`).
  case structure
  /// A worker decodes it to its end.
  case decode
}

extension SettingValues {
  /// What a stranger's picture may cost: the limits with those that were given in place of theirs.
  package func limits(over limits: RenderLimits = RenderLimits()) -> RenderLimits {
    var limits = limits
    apply(JobRows.limits, to: &limits)
    return limits
  }
}

/// What a job says about the network; jobs that say the same share a loader and their downloads.
package struct NetworkRules: Sendable, Hashable {
  package private(set) var values = SettingValues()

  package init(_ settings: JobSettings) {
    let names = [
      JobKey.allowPrivate.name, JobKey.rateLimit.name, JobKey.perHost.name, JobKey.signature.name,
    ]
    for name in names { values.take(name, from: settings.values) }
  }
}
