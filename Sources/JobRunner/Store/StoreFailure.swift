/// Why the cache or its state folder could not be written. Each ends the run, not one picture.
public struct StoreFailure: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Code: String, Hashable, Sendable {
    /// No space, quota or a read-only file system.
    case full = "store.full"
    case notWritable = "store.not-writable"
    /// Another run holds the lock.
    case locked = "store.locked"
    case ledger = "store.ledger"
  }

  public var code: Code
  public var message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { "\(message) (\(code.rawValue))" }
}
