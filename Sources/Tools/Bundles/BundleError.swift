/// Why no bundle is made.
package struct BundleError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Hashable, Sendable {
    /// The folder is no cache, or is empty.
    case input = "bundle.input"
    /// Nobody says whose cache it is.
    case client = "bundle.client"
    /// A file is not what the ledger says.
    case damaged = "bundle.damaged"
    /// The older index cannot be read.
    case since = "bundle.since"
    /// A limit that was given is not kept.
    case limit = "bundle.limit"
    /// A run is changing the cache.
    case locked = "bundle.locked"
    case write = "bundle.write"
  }

  package var code: Code
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { "\(message) (\(code.rawValue))" }
}
