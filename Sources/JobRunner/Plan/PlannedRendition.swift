import NukeCache

/// One rendition as people and programs see it in `plan` and in reports.
public struct PlannedRendition: Sendable, Hashable {
  /// The job's path as given, and the place of the entry that asked first.
  public var job: String
  public var file: String
  public var line: Int
  /// The source's URL as the app holds it. It may hold a secret: redact it before it is shown.
  public var source: String
  /// The chain's name, or its text.
  public var chain: String
  /// Screen scale; for sizes in pixels the first of the job.
  public var scale: Double
  /// Whether `scale` makes a difference: false for sizes in pixels.
  public var dependsOnScale: Bool
  public var client: CacheClient
  /// The request's own key in the client's disk cache; empty where the client has none.
  public var key: String
  /// File name of `key`, nil for the empty key.
  public var fileName: String?
  /// What a run writes for it.
  public var stores: [Store]
  /// What the app's version finds of the job's entries when it asks for this rendition; nil for a miss.
  public var lookup: Lookup?
  /// Why nothing is drawn or stored, or what the client will not find. Nil where all is well.
  public var note: String?

  /// The first of the client's lookups that has an entry.
  public struct Lookup: Sendable, Hashable {
    public var key: String
    public var part: KeyPart
    /// The request's own entry; otherwise the device makes the rest of the chain on every launch.
    public var isExact: Bool
  }

  /// One cache entry that a run writes.
  public struct Store: Sendable, Hashable {
    public var key: String
    public var fileName: String
    public var content: StoredEntry.Content
    /// When the app takes it for expired; nil where the client's entries do not expire.
    public var expiry: JobExpiry?
  }
}
