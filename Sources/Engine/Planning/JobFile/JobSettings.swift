import Fetching
import NukeCache
import Pictures
import Text

/// What the settings of a job say, flags and environment already laid over them.
package struct JobSettings: Sendable {
  /// As given: a path, or `-` for standard input.
  package var path: String
  package var client: CacheClient
  /// Absolute path of the cache folder.
  package var cache: String
  package var policy: StoragePolicy = .client(.automatic)
  /// Screen scales, ascending, each once.
  package var scales: [Double] = [1]
  package var encoding: JobEncoding = .client
  /// Whether embedded thumbnails may be drawn from.
  package var embedded: EmbeddedUse = .client
  package var stripQuery: [QueryPattern] = []
  package var headers: [HostHeader] = []
  /// What a stranger's picture may cost.
  package var limits = LimitSettings()
  /// Bytes that the app lets its disk cache take (Nuke's `DataCache.sizeLimit`, Kingfisher's
  /// `DiskStorage.Config.sizeLimit`); 0 for no limit.
  package var sizeLimit: Int
  /// Names and dates of a Kingfisher cache; means nothing to other clients.
  package var kingfisher = KingfisherSettings()
  package var sources = SourceSettings()
  /// Hosts that may be at private addresses.
  package var allowPrivate: [String] = []
  /// How often hosts may be asked; the first that names a host holds for it.
  package var rateLimits: [HTTPRateLimit] = []
  /// Transfers at once to one host; nil for the loader's own number.
  package var connectionsPerHost: Int?
  /// Hosts whose requests are signed with the credentials of the environment.
  package var signatures: [HostSignature] = []

  package init(path: String, client: CacheClient, cache: String) {
    self.path = path
    self.client = client
    self.cache = cache
    sizeLimit =
      switch client {
      case .nuke: DataCacheUpkeep.defaultSizeLimit
      case .kingfisher: 0
      }
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

  /// A header for one host's requests.
  package struct HostHeader: Sendable, Hashable {
    package var host: String
    package var header: HTTPHeader

    package init(host: String, header: HTTPHeader) {
      self.host = host
      self.header = header
    }
  }
}

/// Which entries a run writes.
package enum StoragePolicy: Hashable, Sendable {
  /// As the client itself stores.
  case client(DataCachePolicy)
  /// Whatever the client will look up first and find.
  case reachable
}
