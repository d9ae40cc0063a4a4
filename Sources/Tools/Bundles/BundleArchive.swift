import CacheBundleInstaller
import ContentDigests
import Foundation

/// A bundle of any form for those who check it: folder, stored zip, or a tar that only libarchive reads.
package enum BundleArchive {
  package static func isTar(_ url: URL) -> Bool {
    [.tar, .tarZstandard].contains(BundleOptions.Format(ofPath: url.path))
  }

  /// The index, checked, and what its signature proves.
  ///
  /// - Parameter trust: whose bundles are taken; nil takes anybody's, and checks no signature.
  package static func checked(
    _ url: URL, by trust: BundleTrust? = nil
  ) throws(BundleFailure) -> (index: BundleIndex, proof: BundleProof?) {
    guard isTar(url) else { return try CacheBundle(at: url).checked(by: trust) }
    var head: [String: Data] = [:]
    try forEachTarEntry(url) { (name, bytes) throws(BundleFailure) in
      guard let limit = BundleFormat.headLimits[name] else { return false }
      head[name] = Data(try bytes(limit))
      return name != BundleFormat.indexName
    }
    guard let id = head[BundleFormat.idName], let index = head[BundleFormat.indexName] else {
      let missing = head[BundleFormat.idName] == nil ? BundleFormat.idName : BundleFormat.indexName
      throw BundleFailure(.notFound, "the archive does not begin with \(missing), as a bundle does")
    }
    return try BundleIndex.checked(index, id: id, signature: head[BundleFormat.signatureName], by: trust)
  }

  /// Proves every byte of a bundle.
  ///
  /// - Parameter trust: whose bundles are taken; nil takes anybody's, and checks no signature.
  /// - Returns: the index.
  @discardableResult
  package static func verify(
    _ url: URL, by trust: BundleTrust? = nil
  ) throws(BundleFailure) -> BundleIndex {
    let index = try checked(url, by: trust).index
    guard isTar(url) else {
      let bundle = try CacheBundle(at: url)
      for entry in index.entries where entry.isIncluded { _ = try bundle.data(for: entry) }
      return index
    }
    try verifyEntries(of: url, index)
    try checkIsCanonical(url, index)
    return index
  }

  private static func verifyEntries(of url: URL, _ index: BundleIndex) throws(BundleFailure) {
    let included = index.entries.filter(\.isIncluded)
    let expected = index.containerFiles.map(\.name)
    let known = Set(expected)
    var position = 0
    try forEachTarEntry(url) { (name, bytes) throws(BundleFailure) in
      guard known.contains(name) else {
        throw BundleFailure(.path, "the archive has an entry that its index does not know")
      }
      guard position < expected.count, name == expected[position] else {
        throw BundleFailure(.archive, "the archive does not have its entries in the order of its index")
      }
      position += 1
      guard position > index.head.count else { return true }
      let entry = included[position - index.head.count - 1]
      let data = try bytes(entry.size)
      guard data.count == entry.size, ContentDigest.sha256(data) == entry.sha256 else {
        throw BundleFailure(.digest, "\(entry.file) does not have the digest that the index states")
      }
      return true
    }
    guard position == expected.count else {
      throw BundleFailure(.notFound, "the archive has no \(expected[position])")
    }
  }

  /// - Parameter body: gets a name and a function that reads up to a number of bytes; returns false to stop.
  static func forEachTarEntry(
    _ url: URL,
    _ body: (String, (Int) throws(BundleFailure) -> [UInt8]) throws(BundleFailure) -> Bool
  ) throws(BundleFailure) {
    let reader = try ArchiveReader(path: url.path)
    while let entry = try reader.next() {
      guard entry.isFile else {
        throw BundleFailure(
          .path, "the archive has an entry that is not a file, but a link, a folder or a device")
      }
      let goesOn = try body(entry.name) { limit throws(BundleFailure) in
        try reader.bytes(limit: limit)
      }
      if !goesOn { return }
    }
  }

  /// Whether a tar has the bytes that Preheat writes: its files are written once more, entry by entry, and compared. Of a
  /// compressed one the tar counts; other releases of the compressor choose other bytes.
  ///
  /// - Parameter index: that of the bundle, whose files are proved already.
  /// - Throws: ``BundleFailure`` with `archive` where they differ.
  private static func checkIsCanonical(_ url: URL, _ index: BundleIndex) throws(BundleFailure) {
    let dates = Dictionary(index.containerFiles.map { ($0.name, $0.date) }) { first, _ in first }
    let raw = try ArchiveReader(path: url.path, isRaw: true)
    _ = try raw.next()
    var copy = try ArchiveWriter(comparing: raw)
    let reader = try ArchiveReader(path: url.path)
    while let entry = try reader.next() {
      try copy.add(
        entry.name, try reader.bytes(limit: BundleFormat.maxEntryBytes),
        modified: dates[entry.name] ?? index.containerDate)
    }
    try copy.close()
    var isMore = false
    try raw.forEachPiece { _ in
      isMore = true
      return false
    }
    if isMore { throw BundleFailure(.archive, "the archive is followed by something else") }
  }
}
