import ClientKit
import Text

/// Where an entry comes from, for tools that look into a cache later: inspection, verification, bundles, pruning.
/// It holds no secrets.
package struct EntryOrigin: Hashable, Sendable {
  /// The client with its version: `nuke 12.9.0`.
  package var client: String
  /// The job that asked for it: the job file's path as seen from the cache folder, `-` for standard input.
  package var job: String
  /// The request's key; nil where it holds credentials, since it is made from the whole URL.
  package var key: String?
  /// The source's URL with credentials blotted out.
  package var source: String
  /// The chain's name, or its text.
  package var chain: String
  /// `original` or `encoded`.
  package var content: String
  /// `never`, seconds (`604800`) or a date (`@1767225600`, seconds since 1970); nil where entries do not expire.
  package var expiry: String?
  /// The job line's `priority`, -2 to 2. A bundle that must be smaller drops low ones first.
  package var priority: Int

  package init(
    client: String, job: String, key: String?, source: String, chain: String, content: String,
    expiry: String? = nil, priority: Int = 0
  ) {
    self.client = client
    self.job = job
    self.key = key
    self.source = source
    self.chain = chain
    self.content = content
    self.expiry = expiry
    self.priority = priority
  }
}

extension EntryOrigin {
  /// `data:` URLs may be megabytes long, and nobody reads them.
  private static let longestText = 4096

  package init(
    _ store: PlannedRendition.Store, of rendition: PlannedRendition, job: String, priority: RequestPriority
  ) {
    let source = URLRedaction.redacted(rendition.source)
    let key = SecretMask.holdsCredential(store.key) ? nil : store.key
    self.init(
      client: rendition.client.description, job: job,
      key: key.flatMap { $0.utf8.count <= Self.longestText ? $0 : nil },
      source: source.utf8.count <= Self.longestText ? source : String(source.prefix(64)) + "...",
      chain: rendition.chain, content: store.content.rawValue, expiry: store.expiry?.text,
      priority: priority.rank)
  }
}
