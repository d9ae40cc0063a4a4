#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A zip whose entries are stored, not compressed (APPNOTE.TXT 6.3.10, sections 4.3 and 4.4).
struct StoredZip: Sendable {
  private let bytes: Data
  private let places: [String: Place]
  /// All names in the directory, folders with a slash at their end.
  let names: [String]

  private struct Place: Sendable {
    var header: Int
    var size: Int
  }

  init(at url: URL) throws(BundleFailure) {
    guard PlainFile.kind(of: url.path, followingLinks: true) == .file else {
      throw BundleFailure(.notFound, "\(url.path) is not a file")
    }
    do {
      bytes = try Data(contentsOf: url, options: .mappedIfSafe)
    } catch {
      throw BundleFailure(.notFound, "the bundle cannot be read: \(url.path)")
    }
    let directory = try ZipDirectory(of: bytes)
    var places: [String: Place] = [:]
    var names: [String] = []
    var room = bytes.count
    for entry in directory.entries {
      guard entry.method == 0, entry.flags & 1 == 0, entry.size == entry.packedSize else {
        throw BundleFailure(.archive, "the archive has an entry that is compressed or encrypted")
      }
      // Entries that share bytes could fill a disk from a small archive.
      guard entry.size <= room else {
        throw BundleFailure(.archive, "the archive's entries are larger than the archive")
      }
      room -= entry.size
      guard places.updateValue(Place(header: entry.header, size: entry.size), forKey: entry.name) == nil
      else {
        throw BundleFailure(.archive, "the archive has two entries of one name")
      }
      names.append(entry.name)
    }
    self.places = places
    self.names = names
  }

  /// - Parameter limit: a larger entry is refused unread.
  func data(named name: String, limit: Int) throws(BundleFailure) -> Data {
    guard let place = places[name] else { throw BundleFailure(.notFound, "the archive has no \(name)") }
    guard place.size <= limit else {
      throw BundleFailure(
        .digest, "\(name) has \(place.size) bytes, more than the \(limit) that are right")
    }
    guard let start = Self.dataStart(bytes, header: place.header, name: name),
      place.size <= bytes.count - start
    else { throw BundleFailure(.archive, "the archive ends inside \(name), or has another file there") }
    return bytes.subdata(in: start..<(start + place.size))
  }

  /// The first entry of an archive, if it has that name, from its first bytes alone.
  static func first(at url: URL, named name: String) -> Data? {
    guard let head = PlainFile.beginning(of: url.path, count: 1024, followingLinks: true),
      let start = dataStart(head, header: 0, name: name), let size = head.little(22, 4),
      start + size <= head.count
    else { return nil }
    return head.subdata(in: start..<(start + size))
  }

  /// Behind a local header come name and extra field, and then the bytes. Nil where it is not the header of that name:
  /// other tools go by it.
  private static func dataStart(_ bytes: Data, header: Int, name: String) -> Int? {
    guard bytes.little(header, 4) == 0x0403_4B50, bytes.little(header + 8, 2) == 0,
      let length = bytes.little(header + 26, 2), let extra = bytes.little(header + 28, 2)
    else { return nil }
    let start = header + 30 + length + extra
    guard start <= bytes.count else { return nil }
    return bytes.subdata(in: (header + 30)..<(header + 30 + length)) == Data(name.utf8) ? start : nil
  }
}

extension Data {
  /// An unsigned number, least significant byte first; nil where there are no such bytes.
  func little(_ offset: Int, _ count: Int) -> Int? {
    guard offset >= 0, offset <= self.count - count else { return nil }
    var value: UInt64 = 0
    for index in (0..<count).reversed() { value = value << 8 | UInt64(self[startIndex + offset + index]) }
    return Int(exactly: value)
  }
}
