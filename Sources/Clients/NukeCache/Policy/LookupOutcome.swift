/// What the data cache gives for a request.
package enum LookupOutcome: Hashable, Sendable {
  /// The request's own entry: nothing is left to do but to decode it.
  case exact(KeyPart)
  /// An entry from earlier in the chain: the device makes the rest on every launch.
  case partial(KeyPart)
  case miss

  package var key: KeyPart? {
    switch self {
    case .exact(let key), .partial(let key): key
    case .miss: nil
    }
  }
}

/// An entry of the data cache: under which key, and what its file holds.
package struct StoredEntry: Hashable, Sendable, CustomStringConvertible {
  package var key: KeyPart
  package var content: Content

  package enum Content: String, Hashable, Sendable {
    /// The bytes as they were downloaded.
    case original
    /// What the pipeline's encoder made of the image.
    case encoded
  }

  package init(_ key: KeyPart, _ content: Content) {
    self.key = key
    self.content = content
  }

  package var description: String { "\(key):\(content.rawValue)" }
}

extension DataCacheRules {
  /// What a request finds where the cache holds entries under `stored`.
  package func outcome(of request: RequestShape, stored: some Sequence<KeyPart>) -> LookupOutcome {
    let stored = Set(stored)
    guard let key = lookups(for: request).first(where: stored.contains) else { return .miss }
    return key == request.fullKey ? .exact(key) : .partial(key)
  }

  /// What a request finds on the next launch, if it was made once under `policy` before.
  ///
  /// Not always a hit: Nuke 12.6 to 12.9 stores the original of a thumbnail request where that
  /// request never looks, and no version before 12.9.0 stores anything of a local file.
  func outcome(
    ofRepeating request: RequestShape, from resource: ResourceKind, policy: DataCachePolicy
  ) -> LookupOutcome {
    outcome(of: request, stored: storedEntries(for: request, from: resource, policy: policy).map(\.key))
  }

  /// What to write so that a request hits at its first lookup, whatever the app's policy; empty only
  /// where the request reads nothing.
  ///
  /// That is the request's own key: with the original for a plain image and for a data request (which
  /// hands on what is there), and with the finished image for all others. Before 13.0.0 it is the
  /// only entry that a thumbnail request ever finds.
  package func reachableEntries(for request: RequestShape) -> [StoredEntry] {
    lookups(for: request).prefix(1).map { key in
      StoredEntry(key, request.isDataRequest || key == .imageID ? .original : .encoded)
    }
  }
}
