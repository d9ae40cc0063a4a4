import HTTPLoading
import NukeCache

/// What the settings of a job say, flags and environment already laid over them.
public struct JobSettings: Sendable {
  /// As given: a path, or `-` for standard input.
  public var path: String
  public var client: NukeVersion
  /// Absolute path of the cache folder.
  public var cache: String
  public var policy: StoragePolicy = .client(.automatic)
  /// Screen scales, ascending, each once.
  public var scales: [Double] = [1]
  public var encoding: JobEncoding = .client
  public var stripQuery: [QueryPattern] = []
  public var headers: [HostHeader] = []
  /// Bytes on the device that the app lets its disk cache take (`DataCache.sizeLimit`).
  public var sizeLimit = DataCacheUpkeep.defaultSizeLimit
  /// What a stranger's picture may cost.
  public var limits = LimitSettings()
  /// Hosts that may be at private addresses.
  public var allowPrivate: [String] = []

  public init(path: String, client: NukeVersion, cache: String) {
    self.path = path
    self.client = client
    self.cache = cache
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
