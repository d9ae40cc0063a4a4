#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A bundle for reading: a folder, or a zip whose entries are stored and so need no archive library.
///
/// It is also what an app reads through when it must not copy: ``data(for:)`` by the file name that the client
/// computes.
public struct CacheBundle: Sendable {
  private enum Storage: Sendable {
    case folder(URL)
    case zip(StoredZip)
  }

  private let storage: Storage

  /// Opens a bundle. Of a zip the directory is read, of a folder nothing.
  public init(at url: URL) throws(BundleFailure) {
    var isFolder = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
      throw BundleFailure(.notFound, "there is no bundle at \(url.path)")
    }
    storage = isFolder ? .folder(url) : .zip(try StoredZip(at: url))
  }

  /// The id of a bundle without reading more than its beginning; nil where that does not say it.
  public static func id(at url: URL) -> String? {
    var isFolder = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else { return nil }
    let data =
      isFolder
      ? try? Data(contentsOf: url.appendingPathComponent(BundleFormat.idName))
      : StoredZip.first(at: url, named: BundleFormat.idName)
    guard let data, data.count <= 65 else { return nil }
    return String(decoding: data.prefix(64), as: UTF8.self)
  }

  /// The index, checked.
  public func index() throws(BundleFailure) -> BundleIndex {
    let index = try BundleIndex(reading: try bytes(of: BundleFormat.indexName))
    if case .zip(let zip) = storage { try refuseForeign(zip, index) }
    return index
  }

  /// A file that nothing vouches for may be there to be written somewhere.
  private func refuseForeign(_ zip: StoredZip, _ index: BundleIndex) throws(BundleFailure) {
    var known: Set<String> = [
      BundleFormat.indexName, BundleFormat.idName, BundleFormat.filesFolder + "/",
    ]
    for entry in index.entries where entry.isIncluded { known.insert(Self.path(of: entry.file)) }
    for name in zip.names where !known.contains(name) {
      throw BundleFailure(.path, "the archive has an entry that its index does not know")
    }
  }

  /// The bytes of an entry, proved by its digest.
  public func data(for entry: BundleIndex.Entry) throws(BundleFailure) -> Data {
    guard entry.isIncluded else {
      throw BundleFailure(.base, "\(entry.file) is in the state that this bundle only adds to")
    }
    let data = try bytes(of: Self.path(of: entry.file))
    guard data.count == entry.size else {
      throw BundleFailure(.digest, "\(entry.file) has \(data.count) bytes, and the index says \(entry.size)")
    }
    guard BundleDigest.sha256(data) == entry.sha256 else {
      throw BundleFailure(.digest, "\(entry.file) does not have the digest that the index states")
    }
    return data
  }

  private static func path(of file: String) -> String { BundleFormat.filesFolder + "/" + file }

  private func bytes(of path: String) throws(BundleFailure) -> Data {
    switch storage {
    case .zip(let zip): return try zip.data(named: path)
    case .folder(let url):
      do {
        return try Data(contentsOf: url.appendingPathComponent(path))
      } catch {
        throw BundleFailure(.notFound, "the bundle has no \(path)")
      }
    }
  }
}
