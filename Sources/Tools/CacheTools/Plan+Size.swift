import FileStore
import Planning

extension Plan {
  /// What the plan's entries take on the device, as far as they are in the cache already.
  ///
  /// - Returns: Their size, and how many entries are not there yet: nobody knows theirs before they are made.
  package func knownSize() -> (size: CacheSize, unknown: Int) {
    var sizes: [String: Int] = [:]
    var unknown: Set<String> = []
    for rendition in renditions {
      for store in rendition.stores where sizes[store.fileName] == nil {
        if let status = CacheFileStatus(folder: settings.cache, name: store.fileName) {
          sizes[store.fileName] = Int(status.size)
        } else {
          unknown.insert(store.fileName)
        }
      }
    }
    return (size(of: sizes.values), unknown.count)
  }
}
