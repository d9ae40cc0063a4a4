import ClientKit
import ClientRegistry
import ContentDigests
import Pictures
import Syntax
import Text

/// What the settings of a job say, flags and environment already laid over them.
package struct JobSettings: Sendable {
  /// As given: a path, or `-` for standard input.
  package var path: String
  package var client: CacheClient
  package var origin = ReleaseOrigin()
  /// Absolute path of the cache folder.
  package var cache: String
  /// All settings that were given.
  package var values: SettingValues
  /// The folders that the job may read from; nil for all.
  package var trustedRoots: TrustedRoots?
  /// The part of the job that is taken; nil for all of it.
  package var shard: Shard?
  /// Whether its lines come while it runs.
  package var isStream = false

  package func makeClient() -> (any ImageClient)? { ClientRegistry.make(client, values) }

  /// Screen scales, ascending, each once.
  package var scales: [Double] { values[JobKey.scale] }
  package var encoding: EncodingChoice { values[JobKey.encode] }
  /// Whether embedded thumbnails may be drawn from.
  package var embedded: EmbeddedUse { values[JobKey.embedded] }
  package var gamut: Gamut { values[JobKey.gamut] }
  package var stripQuery: [QueryPattern] { values[JobKey.stripQuery] }
  /// Bytes that the app lets its disk cache take; nil for the client's own limit.
  package var sizeLimit: Int? { values[JobKey.sizeLimit] }
  /// Bytes that the files of a bundle may have; nil for any number.
  package var maxSize: Int? { values[JobKey.maxSize] }
  /// Whether a run is to remove what it finds in the cache and no job names.
  package var asksForPruning: Bool { values[JobKey.prune] }
  /// What a stranger's picture may cost.
  package var limits: LimitSettings { LimitSettings(values) }
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

  package var description: String { "\(host) \(name): (hidden)" }
}

package struct RateLimit: Sendable, Hashable {
  /// `host`, `host:port` or `*.suffix`; nil for each host that no other limit names.
  package var host: String?
  package var requestsPerSecond: Double
  /// Requests that may go out at once after a pause.
  package var burst = 1
}

/// What an original has to prove before it is stored as it came.
package enum OriginalCheck: String, Sendable, Hashable, CaseIterable {
  /// It is whole, by its marks and checksums (`PictureStructure`).
  case structure
  /// A worker decodes it to its end.
  case decode
}

/// What a job, a flag or a variable says about ``RenderLimits``; what none of them says is not in it.
package struct LimitSettings: Sendable, Hashable {
  private var values = SettingValues()

  package init(_ all: SettingValues) {
    for field in JobRows.limits { values.take(field.row.name, from: all) }
  }

  package var maxMemory: Int? { values[JobKey.maxMemory] }

  /// The limits with these in place of theirs.
  package func applied(to limits: RenderLimits) -> RenderLimits {
    var limits = limits
    values.apply(JobRows.limits, to: &limits)
    return limits
  }
}

/// What a job says about the network; jobs that say the same share a loader and their downloads.
package struct NetworkRules: Sendable, Hashable {
  package private(set) var values = SettingValues()

  package init(_ settings: JobSettings) {
    let names = [JobKey.allowPrivate.name, JobKey.rateLimit.name, JobKey.perHost.name, JobKey.signature.name]
    for name in names { values.take(name, from: settings.values) }
  }
}
