import Concurrency
import Foundation

/// The bytes of a source, as several requests share them.
final class SourceData: Sendable {
  package let bytes: [UInt8]
  /// Nil where no server was asked.
  package let info: ResponseInfo?
  package let claims = KeyClaims()

  init(bytes: [UInt8], info: ResponseInfo? = nil) {
    self.bytes = bytes
    self.info = info
  }
}

/// Which keys something was stored under, so that requests that share it store it once.
final class KeyClaims: Sendable {
  private let keys = Locked<Set<String>>([])

  /// True for the first who asks.
  func claim(_ key: String) -> Bool { keys.withLock { $0.insert(key).inserted } }
}
