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
  /// The first key that a request asks for and the cache holds; nil for a miss. Where it is not the request's full key,
  /// the device makes the rest of the chain on every launch.
  package func found(by request: RequestShape, stored: some Sequence<KeyPart>) -> KeyPart? {
    lookups(for: request).first(where: Set(stored).contains)
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
