/// Why the cache or its state folder could not be written. Each ends the run, not one picture.
package struct StoreFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Hashable, Sendable {
    /// No space, quota or a read-only file system.
    case full = "store.full"
    case notWritable = "store.not-writable"
    /// Another run holds the lock.
    case locked = "store.locked"
    case ledger = "store.ledger"
  }

  package var code: Code
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { "\(message) (\(code.rawValue))" }
}
