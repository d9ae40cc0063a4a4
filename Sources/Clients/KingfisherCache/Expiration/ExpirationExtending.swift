/// What reading an entry does to its expiration: Kingfisher's `ExpirationExtending`.
///
/// Kingfisher has had it for memory since 5.6.0 and for disk since 5.8.0; before, `.cacheTime` was the rule.
public enum ExpirationExtending: Hashable, Sendable {
  /// The entry expires when it would have.
  case none
  /// The period that the entry was stored with begins again.
  case cacheTime
  /// This period begins.
  case expirationTime(StorageExpiration)
}
