import FileStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Puts a bundle into a client's cache folder, before the client's first touch.
///
/// All bytes are proved and written aside first, then renamed, then remembered in a marker beside the folder. An
/// installation that is killed at any point is completed by the next one; a bundle that is not right is refused
/// whole.
public struct BundleInstaller: Sendable {
  /// The client's folder.
  public let folder: URL
  /// The version of the client that the app is built with.
  public let clientVersion: String?
  private var calls = FileCalls.system

  /// - Parameters:
  ///   - folder: see ``nukeFolder(named:in:)`` and ``kingfisherFolder(named:in:)``.
  ///   - clientVersion: such as `13` or `13.2.0`. A bundle for another major version is refused: the app would find
  ///     little or nothing of it. Nil installs any.
  public init(folder: URL, clientVersion: String? = nil) {
    self.folder = folder
    self.clientVersion = clientVersion
  }

  /// For tests: a way to the system calls that may fail.
  init(folder: URL, calls: FileCalls) {
    self.init(folder: folder)
    self.calls = calls
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
  ///   - now: what expiry dates count from.
  /// - Throws: ``BundleFailure``; then the folder is as it was, except where writing itself failed half-way,
  ///   which the next call completes.
  @discardableResult
  public func install(_ url: URL, now: Date = Date()) throws(BundleFailure) -> InstallReport {
    if let report = wasInstalled(CacheBundle.id(at: url)) {
      try checkInstalled(url)
      InstallLock.removeAbandoned(staging.path)
      return report
    }
    let bundle = try CacheBundle(at: url)
    let index = try bundle.index()
    try BundleClient(index).check(against: clientVersion)
    let wasThere = isThere(folder)
    let lock = try InstallLock(folder: staging.path)
    // The folder goes while the lock on it is still held.
    defer {
      try? FileStore(existing: staging.deletingLastPathComponent(), calls: calls)
        .remove(staging.lastPathComponent)
      lock.release()
    }
    // Another process may have installed it while this one waited.
    if let report = wasInstalled(index.id) { return report }
    do throws(BundleFailure) {
      return try install(bundle, index, now: now)
    } catch {
      // Only an empty folder goes.
      if !wasThere { _ = calls.make(.remove, folder.path) { rmdir(folder.path) } }
      throw error
    }
  }

  private func install(
    _ bundle: CacheBundle, _ index: BundleIndex, now: Date
  ) throws(BundleFailure) -> InstallReport {
    // The temporaries lie beside: hidden files in a client's folder would outlive a kill there.
    let files = try BundleFailure.writing { () throws(FileStoreError) in
      let files = try FileStore(folder: folder, temporaryFolder: staging, calls: calls)
      try files.removeAbandonedTemporaries()
      return files
    }
    var installation = Installation(
      bundle: bundle, index: index, marker: .read(beside: folder), files: files, folder: folder, now: now)
    return try installation.run()
  }

  /// An update of the app may have brought another client to the bundle that is there already.
  private func checkInstalled(_ url: URL) throws(BundleFailure) {
    guard clientVersion != nil else { return }
    // Markers of older installers do not say it.
    let client =
      if let known = InstallMarker.client(beside: folder) { known } else {
        BundleClient(try CacheBundle(at: url).index())
      }
    try client.check(against: clientVersion)
  }

  private func wasInstalled(_ id: String?) -> InstallReport? {
    guard let id, id == InstallMarker.id(beside: folder), isThere(folder) else { return nil }
    var report = InstallReport(id: id)
    report.wasInstalled = true
    return report
  }

  private var staging: URL {
    folder.deletingLastPathComponent().appendingPathComponent(folder.lastPathComponent + ".preheat-install")
  }

  private func isThere(_ folder: URL) -> Bool {
    PlainFile.kind(of: folder.path, followingLinks: true) == .folder
  }
}
