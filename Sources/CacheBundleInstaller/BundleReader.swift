#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads a bundle's files by the names that a client computes, for apps that must not copy.
///
/// Every read is proved by the entry's digest; a file that fails is none. The index is read once, so make one reader and
/// keep it.
public struct BundleReader: Sendable {
  private let bundle: CacheBundle
  private let entries: [String: BundleIndex.Entry]

  /// - Throws: ``BundleFailure`` where the bundle's index is not right.
  public init(_ bundle: CacheBundle) throws(BundleFailure) {
    self.bundle = bundle
    var entries: [String: BundleIndex.Entry] = [:]
    for entry in try bundle.index().entries where entry.isIncluded { entries[entry.file] = entry }
    self.entries = entries
  }

  /// Whether the bundle itself has a file; false for one that a delta leaves to the state before it.
  public func contains(_ file: String) -> Bool { entries[file] != nil }

  /// A file's bytes; nil where the bundle has none of that name, or not the right ones.
  public func data(named file: String) -> Data? {
    entries[file].flatMap { try? bundle.data(for: $0) }
  }
}
