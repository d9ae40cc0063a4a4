import CacheBundleInstaller
import FileStore
import Foundation

extension BundleArchive {
  /// Whether a tar has the bytes that Preheat writes: its files are written once more, and compared. Of a compressed
  /// one the tar counts; other releases of the compressor choose other bytes.
  ///
  /// - Parameter index: that of the bundle, whose files are proved already.
  /// - Throws: ``BundleFailure`` with `archive` where they differ.
  static func checkIsCanonical(_ url: URL, _ index: BundleIndex) throws(BundleFailure) {
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
    let dates = Dictionary(
      index.entries.map { (BundleIndex.path(of: $0), index.containerDate(of: $0)) }
    ) { first, _ in first }
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
