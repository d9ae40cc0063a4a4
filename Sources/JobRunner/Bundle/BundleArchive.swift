import CacheBundleInstaller
import CacheCore
import Foundation

/// A bundle of any form for those who check it: folder, stored zip, or a tar that only libarchive reads.
enum BundleArchive {
  /// Most bytes of an index or an entry.
  private static let maxBytes = 256 << 20

  static func isTar(_ url: URL) -> Bool {
    switch BundleOptions.Format(ofPath: url.path) {
    case .tar, .tarZstandard: true
    case .zip, .folder: false
    }
  }

  /// The index, checked.
  static func index(of url: URL) throws(BundleFailure) -> BundleIndex {
    guard isTar(url) else { return try CacheBundle(at: url).index() }
    var index: BundleIndex?
    try forEachTarEntry(url) { (name, bytes) throws(BundleFailure) in
      guard name == BundleFormat.indexName else { return true }
      index = try BundleIndex(reading: Data(try bytes()))
      return false
    }
    guard let index else { throw BundleFailure(.notFound, "the archive has no \(BundleFormat.indexName)") }
    return index
  }

  /// Proves every byte of a bundle.
  ///
  /// - Returns: the index.
  static func verify(_ url: URL) throws(BundleFailure) -> BundleIndex {
    let index = try index(of: url)
    guard isTar(url) else {
      let bundle = try CacheBundle(at: url)
      for entry in index.entries where entry.isIncluded { _ = try bundle.data(for: entry) }
      return index
    }
    var wanted: [String: BundleIndex.Entry] = [:]
    for entry in index.entries where entry.isIncluded {
      wanted[BundleFormat.filesFolder + "/" + entry.file] = entry
    }
    try forEachTarEntry(url) { (name, bytes) throws(BundleFailure) in
      if name == BundleFormat.indexName || name == BundleFormat.idName { return true }
      guard let entry = wanted.removeValue(forKey: name) else {
        throw BundleFailure(.path, "the archive has an entry that its index does not know")
      }
      let data = try bytes()
      guard data.count == entry.size, hexadecimal(SHA256.hash(data)) == entry.sha256 else {
        throw BundleFailure(.digest, "\(entry.file) does not have the digest that the index states")
      }
      return true
    }
    if let missing = wanted.keys.sorted().first {
      throw BundleFailure(.notFound, "the archive has no \(missing)")
    }
    return index
  }

  /// - Parameter body: returns false to stop.
  private static func forEachTarEntry(
    _ url: URL,
    _ body: (String, () throws(BundleFailure) -> [UInt8]) throws(BundleFailure) -> Bool
  ) throws(BundleFailure) {
    let reader = try opened(url)
    while let entry = try next(reader) {
      guard entry.isFile else {
        throw BundleFailure(.path, "the archive has something that is no file: a link, a folder, a device")
      }
      let goesOn = try body(entry.name) { () throws(BundleFailure) in
        do throws(ArchiveWriter.Failure) { return try reader.bytes(limit: maxBytes) } catch {
          throw BundleFailure(.archive, error.reason)
        }
      }
      if !goesOn { return }
    }
  }

  private static func opened(_ url: URL) throws(BundleFailure) -> ArchiveReader {
    do throws(ArchiveWriter.Failure) { return try ArchiveReader(path: url.path) } catch {
      throw BundleFailure(.archive, error.reason)
    }
  }

  private static func next(_ reader: borrowing ArchiveReader) throws(BundleFailure) -> ArchiveReader.Entry? {
    do throws(ArchiveWriter.Failure) { return try reader.next() } catch {
      throw BundleFailure(.archive, error.reason)
    }
  }
}
