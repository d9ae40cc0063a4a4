/// Where an image was found: Kingfisher's `CacheType`.
public enum CacheType: String, Hashable, Sendable, CaseIterable {
  /// Nowhere: it was downloaded, or made of its original.
  case none
  case memory
  case disk

  public var cached: Bool { self != .none }
}
