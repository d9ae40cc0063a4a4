import HTTPLoading
import NukeCache
import Rendering

/// What the settings of a job say, flags and environment already laid over them.
public struct JobSettings: Sendable {
  /// As given: a path, or `-` for standard input.
  public var path: String
  public var client: CacheClient
  /// Absolute path of the cache folder.
  public var cache: String
  public var policy: StoragePolicy = .client(.automatic)
  /// Screen scales, ascending, each once.
  public var scales: [Double] = [1]
  public var encoding: JobEncoding = .client
  /// Whether embedded thumbnails may be drawn from.
  public var embedded: EmbeddedUse = .client
  public var stripQuery: [QueryPattern] = []
  public var headers: [HostHeader] = []
  /// What a stranger's picture may cost.
  public var limits = LimitSettings()
  /// Bytes that the app lets its disk cache take (Nuke's `DataCache.sizeLimit`, Kingfisher's
  /// `DiskStorage.Config.sizeLimit`); 0 for no limit.
  public var sizeLimit: Int
  /// Names and dates of a Kingfisher cache; means nothing to other clients.
  public var kingfisher = KingfisherSettings()
  public var sources = SourceSettings()
  /// Hosts that may be at private addresses.
  public var allowPrivate: [String] = []
  /// How often hosts may be asked; the first that names a host holds for it.
  public var rateLimits: [HTTPRateLimit] = []
  /// Transfers at once to one host; nil for the loader's own number.
  public var connectionsPerHost: Int?
  /// Hosts whose requests are signed with the credentials of the environment.
  public var signatures: [HostSignature] = []

  public init(path: String, client: CacheClient, cache: String) {
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
  public struct HostSignature: Sendable, Hashable {
    public var host: String
    /// `aws:amz:REGION:SERVICE`.
    public var scope: String

    public init(host: String, scope: String) {
      self.host = host
      self.scope = scope
    }
  }

  /// A header for one host's requests.
  public struct HostHeader: Sendable, Hashable {
    public var host: String
    public var header: HTTPHeader

    public init(host: String, header: HTTPHeader) {
      self.host = host
      self.header = header
    }
  }
}

/// Which entries a run writes.
public enum StoragePolicy: Hashable, Sendable {
  /// As the client itself stores.
  case client(DataCachePolicy)
  /// Whatever the client will look up first and find.
  case reachable
}
