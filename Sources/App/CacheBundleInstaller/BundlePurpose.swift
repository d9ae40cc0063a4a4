/// What a bundle is made for, or what an app takes bundles for; of the latter nil is not compared.
struct BundlePurpose: Hashable, Sendable {
  /// Name of the client's folder.
  var folder: String?
  /// `nuke`.
  var client: String?
  /// `12.9.0`; of an app also `12`.
  var version: String?

  /// - Parameter made: what the bundle is made for.
  /// - Throws: ``BundleFailure`` with `client` where that is something else.
  func check(_ made: BundlePurpose) throws(BundleFailure) {
    if let folder, let other = made.folder, folder != other {
      throw BundleFailure(
        .client, "the bundle is made for the folder '\(other)', and this app takes bundles for '\(folder)'")
    }
    if let client, client != made.client {
      throw BundleFailure(.client, "the bundle is made for \(made.text), and the app has \(client)")
    }
    guard let version else { return }
    guard BundleGrammar.isVersion(version) else {
      throw BundleFailure(.client, "'\(version)' is not a version such as that of the bundle, \(made.text)")
    }
    let numbers = version.split(separator: ".").map { Int($0) }
    guard let madeVersion = made.version,
      madeVersion.split(separator: ".").map({ Int($0) }).starts(with: numbers)
    else {
      throw BundleFailure(
        .client,
        "the bundle is made for \(made.text), and the app has version \(version); make it for that version")
    }
  }

  private var text: String { [client, version].compactMap { $0 }.joined(separator: " ") }
}

extension BundleIndex {
  var purpose: BundlePurpose { BundlePurpose(folder: folder, client: client, version: clientVersion) }
}
