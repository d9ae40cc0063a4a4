import Concurrency
import Dispatch
import Foundation

extension BundleInstaller {
  /// Installs a bundle off the calling thread and off Swift's thread pool.
  ///
  /// Cancelling the task cancels the installation: until its last step, renaming the files, the cache is as it was, and
  /// that step runs to its end.
  ///
  /// - Parameters:
  ///   - url: the bundle.
  ///   - now: what expiry dates count from.
  ///   - progress: called on the installing thread, about a hundred times; not called for a bundle that was installed before.
  /// - Throws: ``BundleFailure``, `cancelled` where the task was; then the folder is as ``install(_:now:)`` says.
  @discardableResult
  public func install(
    _ url: URL, now: Date = Date(), progress: (@Sendable (InstallProgress) -> Void)? = nil
  ) async throws(BundleFailure) -> InstallReport {
    let control = InstallControl(progress: progress)
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // Reading and writing block their thread, and Swift's pool has only as many as there are cores.
        DispatchQueue.global(qos: .utility).async {
          continuation.resume(
            returning: Result { () throws(BundleFailure) in
              try self.install(url, now: now, control: control)
            })
        }
      }
    } onCancel: {
      control.cancel()
    }
    return try outcome.get()
  }
}

/// How far an installation has come: entries are proved and written aside, which takes nearly all of its time. What
/// follows, renaming, is not counted.
public struct InstallProgress: Hashable, Sendable {
  /// Entries of the bundle that are done with.
  public var files = 0
  /// Entries of the cache's whole state.
  public var totalFiles: Int
  /// Bytes of the entries that are done with.
  public var bytes = 0
  /// Bytes of all entries.
  public var totalBytes: Int

  /// From 0 to 1, by bytes.
  public var fraction: Double {
    totalBytes > 0
      ? Double(bytes) / Double(totalBytes) : totalFiles > 0 ? Double(files) / Double(totalFiles) : 1
  }
}

/// The way from the caller of an installation to the thread that carries it out, and back.
final class InstallControl: Sendable {
  private let isCancelled = Locked(false)
  let progress: (@Sendable (InstallProgress) -> Void)?

  init(progress: (@Sendable (InstallProgress) -> Void)? = nil) { self.progress = progress }

  func cancel() { isCancelled.withLock { $0 = true } }

  /// - Throws: ``BundleFailure`` with `cancelled`.
  func check() throws(BundleFailure) {
    guard isCancelled.withLock({ $0 }) else { return }
    throw BundleFailure(.cancelled, "the installation was cancelled; the cache is as it was")
  }
}
