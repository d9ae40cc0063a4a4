import CacheBundleInstaller
import ContentDigests
import Foundation

/// A bundle of any form for those who check it: folder, stored zip, or a tar that only libarchive reads.
package enum BundleArchive {
  package static func isTar(_ url: URL) -> Bool {
    switch BundleOptions.Format(ofPath: url.path) {
    case .tar, .tarZstandard: true
    case .zip, .folder: false
    }
  }

  /// The index, checked.
  package static func index(of url: URL) throws(BundleFailure) -> BundleIndex {
    guard isTar(url) else { return try CacheBundle(at: url).index() }
    var index: BundleIndex?
    try forEachTarEntry(url) { (name, bytes) throws(BundleFailure) in
      guard name == BundleFormat.indexName else { return true }
      index = try BundleIndex(reading: Data(try bytes(BundleFormat.maxIndexBytes)))
      return false
    }
    guard let index else { throw BundleFailure(.notFound, "the archive has no \(BundleFormat.indexName)") }
    return index
  }

  /// Proves every byte of a bundle.
  ///
  /// - Returns: the index.
  package static func verify(_ url: URL) throws(BundleFailure) -> BundleIndex {
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
    var heads: Set<String> = []
    try forEachTarEntry(url) { (name, bytes) throws(BundleFailure) in
      if name == BundleFormat.indexName, !heads.insert(name).inserted {
        throw BundleFailure(.archive, "the archive has two indexes")
      }
      if name == BundleFormat.indexName { return true }
      if name == BundleFormat.idName {
        guard heads.insert(name).inserted, try bytes(65) == Array("\(index.id)\n".utf8) else {
          throw BundleFailure(.digest, "the bundle's id is not that of its index")
        }
        return true
      }
      guard let entry = wanted.removeValue(forKey: name) else {
        throw BundleFailure(.path, "the archive has an entry that its index does not know")
      }
      let data = try bytes(entry.size)
      guard data.count == entry.size, ContentDigest.sha256(data) == entry.sha256 else {
        throw BundleFailure(.digest, "\(entry.file) does not have the digest that the index states")
      }
      return true
    }
    guard heads.contains(BundleFormat.idName) else {
      throw BundleFailure(.notFound, "the archive has no \(BundleFormat.idName)")
    }
    if let missing = wanted.keys.sorted().first {
      throw BundleFailure(.notFound, "the archive has no \(missing)")
    }
    return index
  }

  /// - Parameter body: gets a name and what reads at most so many bytes; returns false to stop.
  private static func forEachTarEntry(
    _ url: URL,
    _ body: (String, (Int) throws(BundleFailure) -> [UInt8]) throws(BundleFailure) -> Bool
  ) throws(BundleFailure) {
    let reader = try opened(url)
    while let entry = try next(reader) {
      guard entry.isFile else {
        throw BundleFailure(
          .path, "the archive has an entry that is not a file, but a link, a folder or a device")
      }
      let goesOn = try body(entry.name) { limit throws(BundleFailure) in
        do throws(ArchiveWriter.Failure) { return try reader.bytes(limit: limit) } catch {
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
