import HTTPLoading
import NukeCache

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
  public var stripQuery: [QueryPattern] = []
  public var headers: [HostHeader] = []
  /// Bytes that the app lets its disk cache take (Nuke's `DataCache.sizeLimit`, Kingfisher's
  /// `DiskStorage.Config.sizeLimit`); 0 for no limit.
  public var sizeLimit: Int
  /// Names and dates of a Kingfisher cache; means nothing to other clients.
  public var kingfisher = KingfisherSettings()
  /// Hosts that may be at private addresses.
  public var allowPrivate: [String] = []

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

/// How results are encoded.
public enum JobEncoding: Hashable, Sendable {
  /// The client's own choice: JPEG 0.8, PNG where there is alpha.
  case client
  /// Quality 1 to 100.
  case jpeg(quality: Int)
  case png
}
