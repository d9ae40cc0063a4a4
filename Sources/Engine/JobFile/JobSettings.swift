import ClientKit
import ClientRegistry
import ContentDigests
import Pictures
import Settings
import Text

/// What the settings of a job say, flags and environment already laid over them.
package struct JobSettings: Sendable {
  /// As given: a path, or `-` for standard input.
  package var path: String
  package var client: CacheClient
  /// Absolute path of the cache folder.
  package var cache: String
  /// All settings that somebody gave.
  package var values: SettingValues
  /// The folders that the job may read from; nil for all.
  package var trustedRoots: TrustedRoots?
  /// The part of the job that is taken; nil for all of it.
  package var shard: Shard?

  package init(path: String, client: CacheClient, cache: String, values: SettingValues = SettingValues()) {
    self.path = path
    self.client = client
    self.cache = cache
    self.values = values
  }

  /// The client as this job has set it up.
  package func makeClient() -> (any ImageClient)? { ClientRegistry.make(client, values) }

  /// Screen scales, ascending, each once.
  package var scales: [Double] { values[JobKey.scale] }
  package var encoding: EncodingChoice { values[JobKey.encode] }
  /// Whether embedded thumbnails may be drawn from.
  package var embedded: EmbeddedUse { values[JobKey.embedded] }
  package var stripQuery: [QueryPattern] { values[JobKey.stripQuery] }
  package var headers: [HostHeader] { values[JobKey.header] }
  /// Bytes that the app lets its disk cache take; nil for the client's own limit.
  package var sizeLimit: Int? { values[JobKey.sizeLimit] }
  /// Whether a run is to remove what it finds in the cache and no job names.
  package var asksForPruning: Bool { values[JobKey.prune] }
  /// Whether the job names a part of its cache only, so that nothing may be removed for its sake.
  package var isPartial: Bool { values[JobKey.partial] }
  /// Whether lines that name their source wrongly are left out.
  package var skipsInvalid: Bool { values[JobKey.skipInvalid] }
  /// What a stranger's picture may cost.
  package var limits: LimitSettings { LimitSettings(values) }
  package var sources: SourceSettings {
    SourceSettings(
      httpCache: values[JobKey.httpCache], staleIfError: values[JobKey.staleIfError],
      check: values[JobKey.check])
  }
  /// Hosts that may be at private addresses.
  package var allowPrivate: [String] { values[JobKey.allowPrivate] }
  /// How often hosts may be asked; the first that names a host holds for it.
  package var rateLimits: [RateLimit] { values[JobKey.rateLimit] }
  /// Transfers at once to one host; nil for the loader's own number.
  package var connectionsPerHost: Int? { values[JobKey.perHost] }
  /// Hosts whose requests are signed with the credentials of the environment.
  package var signatures: [HostSignature] { values[JobKey.signature] }
}

/// How requests to a host are signed: AWS Signature Version 4.
package struct HostSignature: Sendable, Hashable {
  package var host: String
  /// `aws:amz:REGION:SERVICE`.
  package var scope: String

  package init(host: String, scope: String) {
    self.host = host
    self.scope = scope
  }
}

/// A header for one host's requests. Its value may be a secret, so it never prints.
package struct HostHeader: Sendable, Hashable, CustomStringConvertible {
  package var host: String
  package var name: String
  package var value: String

  package init(host: String, name: String, value: String) {
    self.host = host
    self.name = name
    self.value = value
  }

  package var description: String { "\(host) \(name): (hidden)" }
}

/// How often hosts may be asked.
package struct RateLimit: Sendable, Hashable {
  /// `host`, `host:port` or `*.suffix`; nil for each host that no other limit names.
  package var host: String?
  package var requestsPerSecond: Double
  /// Requests that may go out at once after a pause.
  package var burst: Int

  package init(host: String? = nil, requestsPerSecond: Double, burst: Int = 1) {
    self.host = host
    self.requestsPerSecond = requestsPerSecond
    self.burst = burst
  }
}

/// How a job treats its sources: when servers are asked again, and what an original has to prove.
package struct SourceSettings: Sendable, Hashable {
  /// Bytes of bodies in the HTTP cache; nil for none: what is stored is then never asked for again.
  package var httpCache: Int?
  /// Seconds for which a stale response may stand in for one that could not be had; 0 for never.
  package var staleIfError: Int
  package var check: OriginalCheck

  package init(httpCache: Int?, staleIfError: Int, check: OriginalCheck) {
    self.httpCache = httpCache
    self.staleIfError = staleIfError
    self.check = check
  }
}

/// What an original has to prove before it is stored as it came.
package enum OriginalCheck: String, Sendable, Hashable, CaseIterable {
  /// It is whole, by its marks and checksums (`PictureStructure`).
  case structure
  /// A worker decodes it to its end.
  case decode
}

/// What a job, a flag or a variable says about ``RenderLimits``; what nobody says is not in it.
package struct LimitSettings: Sendable, Hashable {
  package var maxPixels: Int?
  package var maxSide: Int?
  package var maxAnimationPixels: Int?
  package var maxBytes: Int?
  package var maxMemory: Int?
  package var seconds: Double?

  package init() {}

  package init(_ values: SettingValues) {
    maxPixels = values[JobKey.maxPixels]
    maxSide = values[JobKey.maxSide]
    maxAnimationPixels = values[JobKey.maxAnimationPixels]
    maxBytes = values[JobKey.maxBytes]
    maxMemory = values[JobKey.maxMemory]
    seconds = values[JobKey.renderTimeout]
  }

  /// The limits with these in place of theirs.
  package func applied(to limits: RenderLimits) -> RenderLimits {
    var limits = limits
    limits.maxPixels = maxPixels ?? limits.maxPixels
    limits.maxSide = maxSide ?? limits.maxSide
    limits.maxAnimationPixels = maxAnimationPixels ?? limits.maxAnimationPixels
    limits.maxBytes = maxBytes ?? limits.maxBytes
    if let maxMemory { limits.maxDecodeBytes = RenderLimits.decodeBytes(ofWorker: maxMemory) }
    limits.seconds = seconds ?? limits.seconds
    return limits
  }
}
