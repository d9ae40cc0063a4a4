import HTTPLoading
import Rendering

/// One line of a job that names a source.
public struct JobEntry: Sendable {
  /// File and line, for reports. The file differs from the job's inside an `include`.
  public var file: String
  public var line: Int
  /// The URL as the app's `URL(string:)` holds it.
  public var url: String
  public var scheme: Scheme
  /// Indexes into the job's ``ChainTable``, in the order written, each once.
  public var chains: [Int]
  public var options: EntryOptions

  public enum Scheme: UInt8, Sendable, Hashable {
    case http, https, file, data
  }

  public init(
    file: String, line: Int, url: String, scheme: Scheme, chains: [Int],
    options: EntryOptions = EntryOptions()
  ) {
    self.file = file
    self.line = line
    self.url = url
    self.scheme = scheme
    self.chains = chains
    self.options = options
  }
}

/// The options of an entry; they mirror the client's request.
public struct EntryOptions: Hashable, Sendable {
  /// `id=`: replaces the URL in the key.
  public var imageID: String?
  public var priority: HTTPRequest.Priority = .normal
  /// `reload`: fetch and render again, whatever is there.
  public var reload = false
  /// `offline`: nothing is fetched; what is not in the cache fails.
  public var offline = false
  public var noDiskRead = false
  public var noDiskWrite = false
  /// `sha256=`: lower-case hex that the body must match.
  public var sha256: String?
  /// `encode=`
  public var encoding: JobEncoding?
  /// `embedded=`
  public var embedded: EmbeddedUse?
  /// `expires=`, Kingfisher only.
  public var expiry: JobExpiry?

  public init() {}

  public static let none = EntryOptions()
}
