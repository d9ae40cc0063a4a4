import CacheBundleInstaller
import ContentDigests
import FileStore
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

  /// Whether a tar has the bytes that Preheat writes: its files are written once more, and compared. Of a compressed
  /// one the tar counts; other releases of the compressor choose other bytes.
  ///
  /// - Parameter index: that of the bundle, whose files are proved already.
  /// - Throws: ``BundleFailure`` with `archive` where they differ.
  private static func checkIsCanonical(_ url: URL, _ index: BundleIndex) throws(BundleFailure) {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("preheat-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    do throws(FileStoreError) { _ = try FileStore(folder: folder) } catch {
      throw BundleFailure(.write, "the bundle cannot be checked: \(error)")
    }
    let copy = folder.appendingPathComponent("copy.tar")
    try write(url, index, to: copy)
    guard let expected = try? Data(contentsOf: copy, options: .mappedIfSafe) else {
      throw BundleFailure(.write, "the bundle cannot be checked: \(copy.path) cannot be read")
    }
    var offset = 0
    var isSame = true
    let reader = try ArchiveReader(path: url.path, isRaw: true)
    _ = try reader.next()
    try reader.forEachPiece { piece in
      isSame =
        offset + piece.count <= expected.count
        && expected[offset..<(offset + piece.count)].elementsEqual(piece)
      offset += piece.count
      return isSame
    }
    guard isSame, offset == expected.count else {
      throw BundleFailure(
        .archive, "the archive is not as Preheat writes one: its headers or its padding differ")
    }
  }

  /// Writes the files of a tar once more, as Preheat does.
  private static func write(_ url: URL, _ index: BundleIndex, to copy: URL) throws(BundleFailure) {
    let dates = Dictionary(index.containerFiles.map { ($0.name, $0.date) }) { first, _ in first }
    var archive = try ArchiveWriter(path: copy.path, isCompressed: false)
    let reader = try ArchiveReader(path: url.path)
    while let entry = try reader.next() {
      try archive.add(
        entry.name, try reader.bytes(limit: BundleFormat.maxIndexBytes),
        modified: dates[entry.name] ?? index.containerDate)
    }
    try archive.close()
  }
}
