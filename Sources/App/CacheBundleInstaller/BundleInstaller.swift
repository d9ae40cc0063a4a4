import FileStore
import Foundation

/// Puts a bundle into a client's cache folder, before the client's first touch.
///
/// All bytes are proved and written aside first, then renamed, then remembered in a marker beside the folder. An
/// installation that is killed at any point is completed by the next one; a bundle that is not right is refused
/// whole.
public struct BundleInstaller: Sendable {
  /// The client's folder.
  public let folder: URL
  /// The version of the client that the app is built with, as it was given.
  public var clientVersion: String? { purpose.version }
  /// Whether a bundle whose state is installed already is proved as a whole all the same, its counter too. Without it
  /// nothing of such a bundle is used, and a launch reads the beginnings of two files alone.
  public var provesAgain = false
  private let trust: BundleTrust?
  private let purpose: BundlePurpose
  var calls = FileCalls.system

  /// - Parameters:
  ///   - folder: see ``nukeFolder(named:in:)`` and ``kingfisherFolder(named:in:)``.
  ///   - client: such as `nuke`. A bundle for another client is refused. Nil installs any.
  ///   - clientVersion: such as `13` or `13.2.0`. A bundle for another version is refused, compared by as many numbers as
  ///     are given: the app would find little or nothing of it. Nil installs any.
  ///   - bundleFolder: the name of the cache folder that the bundle was made of, where that is not the name of `folder`. A
  ///     bundle of another one is refused. Nil without keys installs any.
  ///   - publicKeys: one of them must have signed the bundle; two while a key is being replaced. Nil installs bundles
  ///     of anybody.
  ///   - minimumCounter: a bundle with a lower counter is refused, also where nothing is remembered of earlier ones.
  public init(
    folder: URL, client: String? = nil, clientVersion: String? = nil, bundleFolder: String? = nil,
    publicKeys: [BundlePublicKey]? = nil, minimumCounter: Int = 0
  ) {
    self.folder = folder
    trust = BundleTrust(publicKeys, minimumCounter: minimumCounter)
    // A key may sign bundles for several folders of an app.
    purpose = BundlePurpose(
      folder: bundleFolder ?? (trust == nil ? nil : folder.lastPathComponent), client: client,
      version: clientVersion)
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
    try install(url, now: now, control: InstallControl())
  }

  func install(
    _ url: URL, now: Date, control: InstallControl
  ) throws(BundleFailure) -> InstallReport {
    try control.check()
    if !provesAgain, let report = try wasInstalled(CacheBundle.id(at: url)) {
      // An update of the app may have brought another client to the bundle that is there already.
      let facts = try InstallMarker.beginning(beside: folder).facts
      try purpose.check(BundlePurpose(client: facts.client, version: facts.clientVersion))
      InstallLock.removeAbandoned(staging.path)
      return report
    }
    let bundle = try CacheBundle(at: url)
    let (index, proof) = try bundle.checked(by: trust)
    try purpose.check(index.purpose)
    try InstallMarker.beginning(beside: folder).check(proof, of: index)
    let wasThere = try isThere(folder)
    let lock = try InstallLock(folder: staging.path, control: control)
    // The folder goes while the lock on it is still held.
    defer {
      try? FileStore(existing: staging.deletingLastPathComponent(), calls: calls)
        .remove(staging.lastPathComponent)
      lock.release()
    }
    // Another process may have installed it while this one waited.
    if !provesAgain, let report = try wasInstalled(index.id) { return report }
    do throws(BundleFailure) {
      return try install(bundle, index, proof, now: now, control)
    } catch {
      // Only an empty folder goes.
      if !wasThere { _ = calls.make(.remove, folder.path) { rmdir(folder.path) } }
      throw error
    }
  }

  private func install(
    _ bundle: CacheBundle, _ index: BundleIndex, _ proof: BundleProof?, now: Date, _ control: InstallControl
  ) throws(BundleFailure) -> InstallReport {
    // Once more: another process may have installed a newer one while this one waited.
    let marker = try InstallMarker.read(beside: folder)
    try marker.check(proof, of: index)
    // The temporaries lie beside: hidden files in a client's folder would outlive a kill there.
    let files = try BundleFailure.writing { () throws(FileStoreError) in
      let files = try FileStore(folder: folder, temporaryFolder: staging, calls: calls)
      try files.removeAbandonedTemporaries()
      return files
    }
    var installation = Installation(
      bundle: bundle, index: index, proof: proof, marker: marker, files: files, folder: folder, now: now,
      control: control)
    return try installation.run()
  }

  private func wasInstalled(_ id: String?) throws(BundleFailure) -> InstallReport? {
    let marker = try InstallMarker.beginning(beside: folder)
    guard let id, id == marker.id, marker.facts.client != nil, try isThere(folder) else { return nil }
    var report = InstallReport(id: id)
    report.wasInstalled = true
    if let trust {
      // A bundle that was installed without such a proof is read again, and proved.
      guard let proof = marker.proof(by: trust) else { return nil }
      report.signedBy = proof.keys
    }
    return report
  }

  private var staging: URL {
    folder.deletingLastPathComponent().appendingPathComponent(folder.lastPathComponent + ".preheat-install")
  }

  private func isThere(_ folder: URL) throws(BundleFailure) -> Bool {
    try PlainFile.kind(of: folder.path, followingLinks: true) == .folder
  }
}
