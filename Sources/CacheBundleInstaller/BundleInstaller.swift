import CacheCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Puts a bundle into a client's cache folder, before the client's first touch.
///
/// All bytes are proved and written aside first, then renamed, then remembered in a marker beside the folder. An
/// installation that is killed at any point is completed by the next one; a bundle that is not right is refused
/// whole.
public struct BundleInstaller: Sendable {
  /// The client's folder.
  public let folder: URL

  /// - Parameter folder: see ``nukeFolder(named:in:)`` and ``kingfisherFolder(named:in:)``.
  public init(folder: URL) {
    self.folder = folder
  }

  /// Where Nuke's `DataCache(name:)` keeps its files (`DataCache.swift`, 10.0.0 and later).
  public static func nukeFolder(named name: String, in caches: URL) -> URL {
    caches.appendingPathComponent(name, isDirectory: true)
  }

  /// Where Kingfisher's `ImageCache(name:)` keeps its files (`DiskStorage.swift`, 5.0.0 and later).
  public static func kingfisherFolder(named name: String = "default", in caches: URL) -> URL {
    caches.appendingPathComponent("com.onevcat.Kingfisher.ImageCache." + name, isDirectory: true)
  }

  /// Installs a bundle: a folder or a stored zip.
  ///
  /// - Parameters:
  ///   - url: the bundle.
  ///   - now: what Kingfisher's expiry dates count from.
  /// - Throws: ``BundleFailure``; then the folder is as it was, except where writing itself failed half-way,
  ///   which the next call completes.
  @discardableResult
  public func install(_ url: URL, now: Date = Date()) throws(BundleFailure) -> InstallReport {
    let marker = InstallMarker.read(beside: folder)
    if let id = CacheBundle.id(at: url), id == marker.id, isThere(folder) {
      var report = InstallReport(id: id)
      report.wasInstalled = true
      return report
    }
    let bundle = try CacheBundle(at: url)
    let index = try bundle.index()
    // The temporaries lie beside: hidden files in a client's folder would outlive a kill there.
    let files = try BundleFailure.writing { () throws(FileStoreError) in
      let files = try FileStore(folder: folder, temporaryFolder: staging)
      try files.removeAbandonedTemporaries()
      return files
    }
    defer { try? FileManager.default.removeItem(at: staging) }
    var installation = Installation(
      bundle: bundle, index: index, marker: marker, files: files, folder: folder, now: now)
    return try installation.run()
  }

  private var staging: URL {
    folder.deletingLastPathComponent().appendingPathComponent(folder.lastPathComponent + ".preheat-install")
  }

  private func isThere(_ folder: URL) -> Bool { FileManager.default.fileExists(atPath: folder.path) }
}
