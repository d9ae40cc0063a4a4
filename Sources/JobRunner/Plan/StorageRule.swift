import NukeCache

/// Which cache entries a request leads to under the job's policy.
struct StorageRule {
  private let rules: DataCacheRules
  private let policy: StoragePolicy

  init(settings: JobSettings) {
    rules = DataCacheRules(version: settings.client)
    policy = settings.policy
  }

  struct Storage: Sendable, Hashable {
    var entries: [StoredEntry]
    /// What a person should know about it.
    var note: String?

    var needsDrawing: Bool { entries.contains { $0.content == .encoded } }
  }

  func resource(_ source: Plan.Source) -> ResourceKind {
    switch source.scheme {
    case .http, .https: .http
    case .file, .data: ResourceKind(urlText: source.url, version: rules.version)
    }
  }

  func storage(_ source: Plan.Source, variant: ChainVariant, options: EntryOptions) -> Storage {
    let request = RequestShape(
      hasThumbnail: variant.hasThumbnail, processorCount: variant.processorCount,
      options: options.noDiskWrite ? .disableDiskCacheWrites : [])
    guard case .client(let policy) = policy else {
      return Storage(entries: rules.reachableEntries(for: request))
    }
    let resource = resource(source)
    let entries = rules.storedEntries(for: request, from: resource, policy: policy)
    return Storage(
      entries: entries, note: note(entries, request: request, resource: resource, policy: policy))
  }

  private func note(
    _ entries: [StoredEntry], request: RequestShape, resource: ResourceKind, policy: DataCachePolicy
  ) -> String? {
    if entries.isEmpty {
      let what = resource == .http ? "this request" : "a picture of this kind of URL"
      return "Nuke \(rules.version) stores nothing for \(what) under \(policy.rawValue); "
        + "policy reachable writes what it looks up"
    }
    guard rules.outcome(of: request, stored: entries.map(\.key)) == .miss else { return nil }
    return "Nuke \(rules.version) stores this where it never looks for it; "
      + "policy reachable writes what it looks up"
  }
}

extension ChainVariant {
  /// What a part of the request's key has behind the image ID.
  func suffix(of part: KeyPart) -> String {
    if part.processorCount > 0 { return suffix }
    return part.hasThumbnail ? thumbnailSuffix : ""
  }
}
