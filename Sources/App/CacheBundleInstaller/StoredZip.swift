import Digests
import Foundation

/// A bundle's zip, for reading. One whose bytes differ from those that its entries give is refused.
struct StoredZip: Sendable {
  private let bytes: Data
  private let places: [String: Int]
  /// In the order in which they stand in the archive.
  let entries: [ZipEntry]

  /// Goes through the archive from its first byte to its last; of the contents nothing is read.
  init(at url: URL) throws(BundleFailure) {
    guard try PlainFile.kind(of: url.path, followingLinks: true) == .file else {
      throw BundleFailure(.notFound, "\(url.path) is not a file")
    }
    do {
      bytes = try Data(contentsOf: url, options: .mappedIfSafe)
    } catch {
      throw BundleFailure(.notFound, "the bundle cannot be read: \(url.path)")
    }
    var entries: [ZipEntry] = []
    var places: [String: Int] = [:]
    var offset = 0
    while bytes.has([0x50, 0x4B, 3, 4], at: offset) {
      guard entries.count < BundleFormat.maxEntries + BundleFormat.headNames.count else {
        throw BundleFailure(.archive, "the archive has more than \(BundleFormat.maxEntries) entries")
      }
      guard let entry = ZipEntry(in: bytes, at: offset) else {
        throw BundleFailure(.archive, "the archive ends inside an entry, or has one that no bundle has")
      }
      guard places.updateValue(entries.count, forKey: entry.name) == nil else {
        throw BundleFailure(.archive, "the archive has two entries of one name")
      }
      entries.append(entry)
      offset = entry.end
    }
    guard !entries.isEmpty else { throw BundleFailure(.archive, "the file is not a bundle's zip") }
    try Self.checkDirectory(of: entries, in: bytes, at: offset)
    self.entries = entries
    self.places = places
  }

  /// Nothing may stand behind the entries but what follows from them.
  private static func checkDirectory(
    of entries: [ZipEntry], in bytes: Data, at start: Int
  ) throws(BundleFailure) {
    var offset = start
    for entry in entries {
      let record = entry.record
      guard bytes.has(record, at: offset) else {
        throw BundleFailure(.archive, "the archive's directory is cut, or does not say what its entries say")
      }
      offset += record.count
    }
    let ending = ZipEntry.ending(count: entries.count, start: start, size: offset - start)
    guard bytes.has(ending, at: offset), offset + ending.count == bytes.count else {
      throw BundleFailure(.archive, "the archive's end is cut, or followed by something else")
    }
  }

  /// - Parameter limit: a larger entry is refused unread.
  func data(named name: String, limit: Int) throws(BundleFailure) -> Data {
    guard let place = places[name] else { throw BundleFailure(.notFound, "the archive has no \(name)") }
    let entry = entries[place]
    guard entry.size <= limit else {
      throw BundleFailure(
        .digest, "\(name) has \(entry.size) bytes, more than the \(limit) that are right")
    }
    let data = bytes.subdata(in: entry.contents)
    guard data.withUnsafeBytes(CRC32.sum) == entry.checksum else {
      throw BundleFailure(.archive, "\(name) does not have the checksum that the archive states")
    }
    return data
  }

  /// The first entry of an archive, if it has that name, from its first bytes alone.
  static func first(at url: URL, named name: String) throws(BundleFailure) -> Data? {
    guard let head = try PlainFile.beginning(of: url.path, count: 1024, followingLinks: true),
      let entry = ZipEntry(in: head, at: 0), entry.name == name
    else { return nil }
    return head.subdata(in: entry.contents)
  }
}
