import Fetching
import Pictures

/// One line of a job that names a source.
package struct JobEntry: Sendable {
  /// File and line, for reports. The file differs from the job's inside an `include`.
  package var file: String
  package var line: Int
  /// The URL as the app's `URL(string:)` holds it.
  package var url: String
  package var scheme: Scheme
  /// Indexes into the job's ``ChainTable``, in the order written, each once.
  package var chains: [Int]
  package var options: EntryOptions

  package enum Scheme: UInt8, Sendable, Hashable {
    case http, https, file, data
  }

  package init(
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
package struct EntryOptions: Hashable, Sendable {
  /// `id=`: replaces the URL in the key.
  package var imageID: String?
  package var priority: HTTPRequest.Priority = .normal
  /// `reload`: fetch and render again, whatever is there.
  package var reload = false
  /// `offline`: nothing is fetched; what is not in the cache fails.
  package var offline = false
  package var noDiskRead = false
  package var noDiskWrite = false
  /// `sha256=`: lower-case hex that the body must match.
  package var sha256: String?
  /// `encode=`
  package var encoding: JobEncoding?
  /// `embedded=`
  package var embedded: EmbeddedUse?
  /// `expires=`, Kingfisher only.
  package var expiry: JobExpiry?

  package init() {}

  package static let none = EntryOptions()
}
