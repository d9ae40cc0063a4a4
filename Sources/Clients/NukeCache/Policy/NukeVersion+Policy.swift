/// What one version of Nuke's pipeline stores in its data cache and what it looks up there.
///
/// Pure rules: no keys, no files, no network. They describe a pipeline that lives until its encoder
/// is done and whose delegate changes nothing.
extension NukeVersion {
  // MARK: Storing

  /// What a request leaves in an empty cache once it is done, the encoded entry first.
  ///
  /// Of several requests that share a download the pipeline stores the union.
  package func storedEntries(
    for request: RequestShape, from resource: ResourceKind, policy: DataCachePolicy
  ) -> [StoredEntry] {
    // Nothing is loaded, so there is nothing to store.
    if request.options.contains(.returnCacheDataDontLoad) { return [] }
    var entries: [StoredEntry] = []
    if storesEncoded(request, from: resource, policy: policy) {
      entries.append(StoredEntry(request.fullKey, .encoded))
    }
    if storesOriginal(request, from: resource, policy: policy) {
      // Before 12.6.0 the thumbnail is part of the original's key.
      let key = KeyPart(hasThumbnail: request.hasThumbnail && !separatesThumbnails)
      entries.append(StoredEntry(key, .original))
    }
    return entries
  }

  /// Since 12.1.0 a GIF is never encoded: an entry due to be, under a processor's or thumbnail's key,
  /// holds the download's bytes unprocessed. Before, it held the first frame, encoded.
  package var encodedGIFKeepsOriginalBytes: Bool { self >= NukeVersion(12, 1, 0) }

  /// Up to 13.1.0 a GIF is what begins with these three letters; since 13.2.0 its version has to be 87a or 89a.
  package var knowsGIFByLetters: Bool { self < NukeVersion(13, 2, 0) }

  private func storesOriginal(
    _ request: RequestShape, from resource: ResourceKind, policy: DataCachePolicy
  ) -> Bool {
    guard resource == .http, !request.options.contains(.disableDiskCacheWrites) else { return false }
    return switch policy {
    case .storeOriginalData, .storeAll: true
    // A thumbnail by itself does not count as processed here, in any version.
    case .automatic: request.processorCount == 0
    case .storeEncodedImages: false
    }
  }

  private func storesEncoded(
    _ request: RequestShape, from resource: ResourceKind, policy: DataCachePolicy
  ) -> Bool {
    if asksBeforeStoringEncodedImages, request.options.contains(.disableDiskCacheWrites) { return false }
    guard resource == .http || storesEncodedImagesOfLocalResources else { return false }
    return switch policy {
    case .storeEncodedImages: true
    case .automatic, .storeAll:
      request.processorCount > 0 || (request.hasThumbnail && separatesThumbnails)
    case .storeOriginalData: false
    }
  }

  // MARK: Looking up

  /// The keys asked for, in order; the first that is there ends the walk. Neither the policy nor the
  /// resource plays a part, so an entry is found whichever program put it there.
  package func lookups(for request: RequestShape) -> [KeyPart] {
    if !request.options.isDisjoint(with: [.disableDiskCacheReads, .reloadIgnoringCachedData]) { return [] }
    var parts = [request.fullKey]
    if request.options.contains(.returnCacheDataDontLoad) {
      // Processors are not run offline: only a bare thumbnail can still be made of the original.
      if request.processorCount > 0 { return parts }
    } else if request.processorCount > 0 {
      let shortest = looksUpIntermediates ? 1 : request.processorCount
      parts += (0..<request.processorCount).reversed().filter { $0 == 0 || $0 >= shortest }.map {
        KeyPart(hasThumbnail: request.hasThumbnail, processorCount: $0)
      }
    }
    if request.hasThumbnail, looksUpOriginalsOfThumbnails {
      parts.append(.imageID)
    }
    return parts
  }

  /// The first key that a request asks for and the cache holds; nil for a miss. Where it is not the request's full key,
  /// the device makes the rest of the chain on every launch.
  package func found(by request: RequestShape, stored: some Sequence<KeyPart>) -> KeyPart? {
    lookups(for: request).first(where: Set(stored).contains)
  }

  /// What to write so that a request hits at its first lookup, whatever the app's policy; empty only
  /// where the request reads nothing.
  ///
  /// That is the request's own key: with the original for a plain image, and with the finished image for all others.
  /// Before 13.0.0 it is the only entry that a thumbnail request ever finds.
  package func reachableEntries(for request: RequestShape) -> [StoredEntry] {
    lookups(for: request).prefix(1).map { key in
      StoredEntry(key, key == .imageID ? .original : .encoded)
    }
  }
}

/// An entry of the data cache: under which key, and what its file holds.
package struct StoredEntry: Hashable, Sendable {
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
}

/// What Nuke's pipeline stores in its data cache (`ImagePipeline.DataCachePolicy`).
public enum DataCachePolicy: String, Hashable, Sendable, CaseIterable {
  /// Originals of requests without processors, encoded images of those with processors.
  case automatic
  /// Originals alone, Nuke's default.
  case storeOriginalData
  /// Encoded images alone, also for requests without processors.
  case storeEncodedImages
  /// Originals, and encoded images of requests with processors.
  case storeAll
}
