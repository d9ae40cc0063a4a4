import Concurrency
import Dispatch

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

  init(totalFiles: Int, totalBytes: Int) {
    self.totalFiles = totalFiles
    self.totalBytes = totalBytes
  }

  /// From 0 to 1, by bytes.
  public var fraction: Double {
    totalBytes > 0
      ? Double(bytes) / Double(totalBytes) : totalFiles > 0 ? Double(files) / Double(totalFiles) : 1
  }
}

/// The way from whoever has started an installation to the thread that carries it out, and back.
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

  func tell(_ progress: InstallProgress) { report?(progress) }
}

/// Tells of progress some times a second, and at the end.
struct ProgressPacer {
  private(set) var progress: InstallProgress
  private let control: InstallControl
  private var next = DispatchTime.now()

  private static let step = DispatchTimeInterval.milliseconds(100)

  init(_ progress: InstallProgress, control: InstallControl) {
    self.progress = progress
    self.control = control
  }

  /// Counts an entry.
  mutating func add(bytes: Int, now: DispatchTime = .now()) {
    progress.files += 1
    progress.bytes += bytes
    guard now >= next || progress.files == progress.totalFiles else { return }
    next = now + Self.step
    control.tell(progress)
  }
}
