import FileStore
import Foundation

/// Why a bundle is not read or not installed. Nothing of it has been put into the client's folder then.
public struct BundleFailure: LocalizedError, Hashable, Sendable, CustomStringConvertible {
  /// Kinds of failures; what to do about each is in `docs/troubleshooting.md`.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// There is no bundle, or a file of it is missing.
    case notFound = "bundle.not-found"
    /// A look at the bundle or at what is installed failed, so that it is not known what is there.
    case unreadable = "bundle.unreadable"
    /// The archive is cut, damaged, or not as Preheat writes one.
    case archive = "bundle.archive"
    /// The index cannot be read.
    case index = "bundle.index"
    /// A later version of the format.
    case version = "bundle.version"
    /// A name that reaches outside, or a file that the index does not know.
    case path = "bundle.path"
    /// Bytes that are not those that the index states.
    case digest = "bundle.digest"
    /// A delta to a state that is not installed.
    case base = "bundle.base"
    /// Not signed, not by a key that is accepted, or a signature that is not right.
    case signature = "bundle.signature"
    /// Older than what is installed, or than the app accepts.
    case rollback = "bundle.rollback"
    /// Made for another folder, another client, or another version of it than the app has.
    case client = "bundle.client"
    /// Another process is installing into the same folder.
    case busy = "bundle.busy"
    /// The caller has cancelled the installation.
    case cancelled = "bundle.cancelled"
    /// The client's folder cannot be written.
    case write = "bundle.write"
  }

  /// The kind of failure.
  public var code: Code
  /// A phrase for people.
  public var message: String

  /// A failure, for stores of an app's own and for tests.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message and the code.
  public var description: String { "\(message) (\(code.rawValue))" }

  /// The text of `localizedDescription`.
  public var errorDescription: String? { description }

  /// Runs what writes into the client's folder.
  static func writing<T>(_ body: () throws(FileStoreError) -> T) throws(BundleFailure) -> T {
    do throws(FileStoreError) {
      return try body()
    } catch {
      throw BundleFailure(.write, "\(error)")
    }
  }
}

/// The result of an installation.
public struct InstallReport: Hashable, Sendable {
  /// The bundle's id.
  public var id: String
  /// The same bundle was installed before: nothing was done.
  public var wasInstalled = false
  /// Files written.
  public var written = 0
  /// Files that were there already with the right bytes.
  public var present = 0
  /// Files of the app's own that are left as they are: it has fetched them itself meanwhile.
  public var kept = 0
  /// Files whose date of expiry has passed before the installation; they are left out.
  public var expired = 0
  /// Files of an earlier bundle that this one has dropped.
  public var removed = 0
  /// Ids of the accepted keys that have signed the bundle; empty where the installer was given none.
  public var signedBy: [String] = []
}
