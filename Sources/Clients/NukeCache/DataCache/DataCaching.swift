#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A disk cache of data by key, as the pipeline uses it. Methods may be called from any thread.
public protocol DataCaching: AnyObject, Sendable {
  func cachedData(for key: String) -> Data?
  func containsData(for key: String) -> Bool
  /// Returns at once; a read that follows sees the data.
  func storeData(_ data: Data, for key: String)
  func removeData(for key: String)
  func removeAll()
}
