/// What one version of Nuke's pipeline stores in its data cache and what it looks up there.
///
/// Pure rules: no keys, no files, no network. They describe a pipeline that lives until its encoder
/// is done and whose delegate changes nothing.
package struct DataCacheRules: Hashable, Sendable {
  package var version: NukeVersion

  package init(version: NukeVersion) {
    self.version = version
  }

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
      entries.append(StoredEntry(originalKey(for: request), .original))
    }
    return entries
  }

  /// Under which key a request's download is stored: before 12.6.0 the thumbnail is part of it.
  func originalKey(for request: RequestShape) -> KeyPart {
    KeyPart(hasThumbnail: request.hasThumbnail && !version.separatesThumbnails)
  }

  /// Since 12.1.0 a GIF is never encoded: an entry due to be, under a processor's or thumbnail's key,
  /// holds the download's bytes unprocessed. Before, it held the first frame, encoded.
  package var encodedGIFKeepsOriginalBytes: Bool { version >= NukeVersion(12, 1, 0) }

  private func storesOriginal(
    _ request: RequestShape, from resource: ResourceKind, policy: DataCachePolicy
  ) -> Bool {
    guard hasStorableOriginal(resource), !request.options.contains(.disableDiskCacheWrites) else {
      return false
    }
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
    // `disableDiskCacheWrites` is not asked: Nuke does not either.
    guard hasStorableImage(resource), !request.isDataRequest else { return false }
    return switch policy {
    case .storeEncodedImages: true
    case .automatic, .storeAll:
      request.processorCount > 0 || (request.hasThumbnail && version.separatesThumbnails)
    case .storeOriginalData: false
    }
  }

  private func hasStorableOriginal(_ resource: ResourceKind) -> Bool {
    switch resource {
    case .http: true
    case .closureOfData: version.storesOriginalsOfClosures
    case .file, .data, .closureOfImage: false
    }
  }

  private func hasStorableImage(_ resource: ResourceKind) -> Bool {
    switch resource {
    case .http, .closureOfImage: true
    case .closureOfData: version.storesEncodedImagesOfClosures
    case .file, .data: version.storesEncodedImagesOfLocalResources
    }
  }

  // MARK: Looking up

  /// The keys asked for, in order; the first that is there ends the walk. Neither the policy nor the
  /// resource plays a part, so an entry is found whoever put it there.
  package func lookups(for request: RequestShape) -> [KeyPart] {
    if !request.options.isDisjoint(with: [.disableDiskCacheReads, .reloadIgnoringCachedData]) { return [] }
    if request.isDataRequest { return [request.fullKey] }
    var parts = [request.fullKey]
    if request.options.contains(.returnCacheDataDontLoad) {
      // Processors are not run offline: only a bare thumbnail can still be made of the original.
      if request.processorCount > 0 { return parts }
    } else if request.processorCount > 0 {
      let shortest = version.looksUpIntermediates ? 1 : request.processorCount
      parts += (0..<request.processorCount).reversed().filter { $0 == 0 || $0 >= shortest }.map {
        KeyPart(hasThumbnail: request.hasThumbnail, processorCount: $0)
      }
    }
    if request.hasThumbnail, version.looksUpOriginalsOfThumbnails {
      parts.append(.imageID)
    }
    return parts
  }
}

/// What Nuke's pipeline stores in its data cache (`ImagePipeline.DataCachePolicy`).
public enum DataCachePolicy: String, Hashable, Sendable, CaseIterable {
  case automatic, storeOriginalData, storeEncodedImages, storeAll
}
