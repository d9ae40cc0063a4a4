import CacheBundleInstaller
import FileStore
import Foundation

/// Whether a tar has the bytes that Preheat writes: its files are written once more, and compared. Of a compressed one
/// the tar counts; other releases of the compressor choose other bytes.
struct CanonicalTar {
  private let url: URL
  private let index: BundleIndex

  /// - Parameter index: that of the bundle, whose files are proved already.
  init(of url: URL, _ index: BundleIndex) {
    self.url = url
    self.index = index
  }

  /// - Throws: ``BundleFailure`` with `archive` where they differ.
  func check() throws(BundleFailure) {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("preheat-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    do throws(FileStoreError) { _ = try FileStore(folder: folder) } catch {
      throw BundleFailure(.write, "the bundle cannot be checked: \(error)")
    }
    let copy = folder.appendingPathComponent("copy.tar")
    try write(to: copy)
    guard let expected = try? Data(contentsOf: copy, options: .mappedIfSafe) else {
      throw BundleFailure(.write, "the bundle cannot be checked: \(copy.path) cannot be read")
    }
    var offset = 0
    var isSame = true
    do throws(ArchiveWriter.Failure) {
      let reader = try ArchiveReader(path: url.path, isRaw: true)
      _ = try reader.next()
      try reader.forEachPiece { piece in
        isSame =
          offset + piece.count <= expected.count
          && expected[offset..<(offset + piece.count)].elementsEqual(piece)
        offset += piece.count
        return isSame
      }
    } catch {
      throw BundleFailure(.archive, error.reason)
    }
    guard isSame, offset == expected.count else {
      throw BundleFailure(
        .archive, "the archive is not as Preheat writes one: its headers or its padding differ")
    }
  }

  private func write(to copy: URL) throws(BundleFailure) {
    let dates = Dictionary(
      index.entries.map { (BundleIndex.path(of: $0), index.containerDate(of: $0)) }
    ) { first, _ in first }
    do throws(ArchiveWriter.Failure) {
      var archive = try ArchiveWriter(path: copy.path, format: .tar)
      let reader = try ArchiveReader(path: url.path)
      while let entry = try reader.next() {
        try archive.add(
          entry.name, try reader.bytes(limit: BundleFormat.maxIndexBytes),
          modified: dates[entry.name] ?? index.containerDate)
      }
      try archive.close()
    } catch {
      throw BundleFailure(.archive, error.reason)
    }
  }
}
