import CacheCore

/// Why a bundle is not read or not installed. Nothing of it has been put into the client's folder then.
public struct BundleFailure: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// There is no bundle, or it cannot be read.
    case notFound = "bundle.not-found"
    /// The archive ends too early or makes no sense.
    case archive = "bundle.archive"
    /// The index is no index.
    case index = "bundle.index"
    /// A later version of the format.
    case version = "bundle.version"
    /// A name that reaches outside, or a file that the index does not know.
    case path = "bundle.path"
    /// Bytes that are not those that the index states.
    case digest = "bundle.digest"
    /// A delta to a state that is not installed.
    case base = "bundle.base"
    /// Another process is installing into the same folder.
    case busy = "bundle.busy"
    /// The client's folder cannot be written.
    case write = "bundle.write"
  }

  public var code: Code
  public var message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { "\(message) (\(code.rawValue))" }
}

extension BundleFailure {
  /// Runs what writes into the client's folder.
  static func writing<T>(_ body: () throws(FileStoreError) -> T) throws(BundleFailure) -> T {
    do throws(FileStoreError) {
      return try body()
    } catch {
      throw BundleFailure(.write, "\(error)")
    }
  }
}
