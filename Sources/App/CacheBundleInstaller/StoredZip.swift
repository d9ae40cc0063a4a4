import Digests
import Foundation

/// A bundle's zip, for reading. One whose bytes differ from those that its entries give is refused.
struct StoredZip: Sendable {
  private let file: PlainFile
  private let places: [String: Int]
  /// In the order in which they stand in the archive.
  let entries: [ZipEntry]

  /// Goes through the archive from its first byte to its last; of the contents nothing is read.
  init(at url: URL) throws(BundleFailure) {
    guard let file = try PlainFile(url.path, followingLinks: true) else {
      throw BundleFailure(.notFound, "\(url.path) is not a file")
    }
    var entries: [ZipEntry] = []
    var places: [String: Int] = [:]
    var offset = 0
    while file.bytes(offset, 4) == Data([0x50, 0x4B, 3, 4]) {
      guard entries.count < BundleFormat.maxEntries + BundleFormat.headNames.count else {
        throw BundleFailure(.archive, "the archive has more than \(BundleFormat.maxEntries) entries")
      }
      guard let entry = ZipEntry(at: offset, of: { file.bytes($0, $1) }) else {
        throw BundleFailure(.archive, "the archive ends inside an entry, or has one that no bundle has")
      }
      guard places.updateValue(entries.count, forKey: entry.name) == nil else {
        throw BundleFailure(.archive, "the archive has two entries of one name")
      }
      entries.append(entry)
      offset = entry.end
    }
    guard !entries.isEmpty else { throw BundleFailure(.archive, "the file is not a bundle's zip") }
    try Self.checkDirectory(of: entries, in: file, at: offset)
    self.file = file
    self.entries = entries
    self.places = places
  }

  /// Nothing may stand behind the entries but what follows from them.
  private static func checkDirectory(
    of entries: [ZipEntry], in file: PlainFile, at start: Int
  ) throws(BundleFailure) {
    var offset = start
    for entry in entries {
      let record = entry.record
      guard file.bytes(offset, record.count) == Data(record) else {
        throw BundleFailure(.archive, "the archive's directory is cut, or does not say what its entries say")
      }
      offset += record.count
    }
    let ending = ZipEntry.ending(count: entries.count, start: start, size: offset - start)
    guard file.bytes(offset, most: ending.count + 1) == Data(ending) else {
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
    guard let data = file.bytes(entry.contents.lowerBound, entry.size) else {
      throw BundleFailure(.archive, "the archive was cut inside \(name)")
    }
    guard data.withUnsafeBytes(CRC32.sum) == entry.checksum else {
      throw BundleFailure(.archive, "\(name) does not have the checksum that the archive states")
    }
    return data
  }

  /// The first entry of an archive, if it has that name, from its first bytes alone.
  static func first(at url: URL, named name: String) throws(BundleFailure) -> Data? {
    guard let head = try PlainFile.beginning(of: url.path, count: 1024, followingLinks: true),
      let entry = ZipEntry(
        at: 0,
        of: { $0 >= 0 && $1 <= head.count - $0 ? head.subdata(in: $0..<($0 + $1)) : nil }),
      entry.name == name
    else { return nil }
    return head.subdata(in: entry.contents)
  }
}
