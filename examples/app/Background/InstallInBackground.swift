import CacheBundleInstaller
import Foundation

#if canImport(BackgroundTasks) && !os(macOS)
  import BackgroundTasks

  /// Installs a bundle that was downloaded, while the device charges or idles. Register it at launch, and submit a
  /// `BGProcessingTaskRequest` of the same identifier when the download has ended:
  ///
  ///     BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.example.catalog", using: nil) { task in
  ///       installInBackground(bundle, by: installer, in: task)
  ///     }
  ///
  /// When the system takes the time away the installation ends between two files, and the cache is as it was. The app
  /// sees the new images when it makes its pipeline at the next launch.
  func installInBackground(_ bundle: URL, by installer: BundleInstaller, in task: BGTask) {
    let installation = Task {
      let report = try? await installer.install(bundle)
      task.setTaskCompleted(success: report != nil)
    }
    task.expirationHandler = { installation.cancel() }
  }
#endif

/// Installs a large bundle off the main thread. Call it before the image pipeline is made, and show the progress.
func installCatalog(
  _ bundle: URL, by installer: BundleInstaller, progress: @escaping @Sendable (Double) -> Void
) async {
  do throws(BundleFailure) {
    let report = try await installer.install(bundle) { progress($0.fraction) }
    print("warm cache: \(report.written) files written, signed by \(report.signedBy)")
  } catch {
    // The app works without: it fetches what it needs.
    print("no warm cache: \(error)")
  }
}
