import CacheBundleInstaller
import Foundation
import Nuke

/// Reads through a bundle without copying it: what is not in the bundle comes from, and everything new goes to, an
/// ordinary cache.
///
///     let bundle = try CacheBundle(at: url)
///     configuration.dataCache = BundleDataCache(
///       try BundleReader(bundle), over: try DataCache(name: "com.example.catalog"))
final class BundleDataCache: DataCaching {
  private let reader: BundleReader
  private let cache: any DataCaching

  init(_ reader: BundleReader, over cache: any DataCaching) {
    self.reader = reader
    self.cache = cache
  }

  func cachedData(for key: String) -> Data? {
    // What the app has fetched itself is newer.
    cache.cachedData(for: key) ?? DataCache.filename(for: key).flatMap(reader.data(named:))
  }

  func containsData(for key: String) -> Bool {
    cache.containsData(for: key) || DataCache.filename(for: key).map(reader.contains) == true
  }

  func storeData(_ data: Data, for key: String) { cache.storeData(data, for: key) }
  func removeData(for key: String) { cache.removeData(for: key) }
  func removeAll() { cache.removeAll() }
}
