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
  ///   - progress: called on the installing thread, at most ten times a second and once at the end; not called for a
  ///     bundle that was installed before.
  /// - Throws: ``BundleFailure``, `cancelled` where the task was; then the folder is as ``install(_:now:)`` says.
  @discardableResult
  public func install(
    _ url: URL, now: Date = Date(), progress: (@Sendable (InstallProgress) -> Void)? = nil
  ) async throws(BundleFailure) -> InstallReport {
    let control = InstallControl(progress: progress)
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
        Self.queue.async { continuation.resume(returning: self.outcome(of: url, now: now, control)) }
      }
    } onCancel: {
      control.cancel()
    }
    return try outcome.get()
  }

  /// Installs a bundle in the background, for apps without `async` and for the handlers of background tasks.
  ///
  /// - Parameters:
  ///   - url: the bundle.
  ///   - now: what expiry dates count from.
  ///   - queue: where `progress` and `completion` are called.
  ///   - progress: called at most ten times a second and once at the end; not called for a bundle that was installed
  ///     before.
  ///   - completion: called once, after the last progress.
  /// - Returns: what cancels the installation, for instance from `BGTask.expirationHandler`.
  @discardableResult
  public func install(
    _ url: URL, now: Date = Date(), on queue: DispatchQueue = .main,
    progress: (@Sendable (InstallProgress) -> Void)? = nil,
    completion: @escaping @Sendable (Result<InstallReport, BundleFailure>) -> Void
  ) -> BundleInstallation {
    let control = InstallControl(
      progress: progress.map { progress in { @Sendable value in queue.async { progress(value) } } })
    Self.queue.async {
      let outcome = self.outcome(of: url, now: now, control)
      queue.async { completion(outcome) }
    }
    return BundleInstallation(control: control)
  }

  private typealias Outcome = Result<InstallReport, BundleFailure>

  private func outcome(of url: URL, now: Date, _ control: InstallControl) -> Outcome {
    Outcome { () throws(BundleFailure) in try install(url, now: now, control: control) }
  }

  /// Reading and writing block their thread, and Swift's pool has only as many as there are cores.
  private static let queue = DispatchQueue.global(qos: .utility)
}

/// An installation that is on its way.
public struct BundleInstallation: Sendable {
  let control: InstallControl

  /// Ends it at the next file with `bundle.cancelled`, from any thread. One that is renaming its files already runs to
  /// its end; one that has ended does not change.
  public func cancel() { control.cancel() }
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
  private let report: (@Sendable (InstallProgress) -> Void)?

  init(progress: (@Sendable (InstallProgress) -> Void)? = nil) { report = progress }

  func cancel() { isCancelled.withLock { $0 = true } }

  /// - Throws: ``BundleFailure`` with `cancelled`.
  func check() throws(BundleFailure) {
    guard isCancelled.withLock({ $0 }) else { return }
    throw BundleFailure(.cancelled, "the installation was cancelled; the cache is as it was")
  }

  func send(_ progress: InstallProgress) { report?(progress) }
}

/// Tells of progress some times a second, and at the end.
struct ProgressPacer {
  var progress: InstallProgress
  let control: InstallControl
  var next = DispatchTime.now()

  /// Counts an entry.
  mutating func add(bytes: Int, now: DispatchTime = .now()) {
    progress.files += 1
    progress.bytes += bytes
    guard now >= next || progress.files == progress.totalFiles else { return }
    next = now + .milliseconds(100)
    control.send(progress)
  }
}
