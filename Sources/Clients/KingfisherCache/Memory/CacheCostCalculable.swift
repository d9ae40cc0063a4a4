/// A value that knows what it costs in memory: Kingfisher's `CacheCostCalculable`.
public protocol CacheCostCalculable {
  /// Bytes.
  var cacheCost: Int { get }
}
