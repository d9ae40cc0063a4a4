import Foundation

/// Reads a bundle's files by the names that a client computes, for apps that must not copy.
///
/// Every read is proved by the entry's digest; a file that fails counts as missing. The index is read once, so make one reader and
/// keep it.
public struct BundleReader: Sendable {
  private let bundle: CacheBundle
  private let entries: [String: BundleIndex.Entry]

  /// - Parameters:
  ///   - clientVersion: of the client that the app is built with; a bundle for another major version is refused.
  ///   - publicKeys: one of them must have signed the bundle; nil takes bundles of anybody.
  ///   - minimumCounter: a signed bundle with a lower counter is refused. A reader remembers no counter of its own.
  /// - Throws: ``BundleFailure`` where the bundle's index or its signature is not right.
  public init(
    _ bundle: CacheBundle, clientVersion: String? = nil, publicKeys: [BundlePublicKey]? = nil,
    minimumCounter: Int = 0
  ) throws(BundleFailure) {
    self.bundle = bundle
    let (index, _) = try bundle.checked(by: BundleTrust(publicKeys, minimumCounter: minimumCounter))
    try BundleClient(index).check(against: clientVersion)
    var entries: [String: BundleIndex.Entry] = [:]
    for entry in index.entries where entry.isIncluded { entries[entry.file] = entry }
    self.entries = entries
  }

  /// Whether the bundle itself has a file; false for one that a delta leaves to the state before it.
  public func contains(_ file: String) -> Bool { entries[file] != nil }

  /// A file's bytes; nil where the bundle has none of that name, or not the right ones.
  public func data(named file: String) -> Data? {
    entries[file].flatMap { try? bundle.data(for: $0) }
  }
}
