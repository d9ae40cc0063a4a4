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
    do {
      bytes = try Data(contentsOf: url, options: .mappedIfSafe)
    } catch {
      throw BundleFailure(.notFound, "the bundle cannot be read: \(url.path)")
    }
    let directory = try ZipDirectory(of: bytes)
    var places: [String: Place] = [:]
    var names: [String] = []
    for entry in directory.entries {
      guard entry.method == 0, entry.flags & 1 == 0, entry.size == entry.packedSize else {
        throw BundleFailure(.archive, "the archive has an entry that is compressed or encrypted")
      }
      guard places.updateValue(Place(header: entry.header, size: entry.size), forKey: entry.name) == nil
      else {
        throw BundleFailure(.archive, "the archive has two entries of one name")
      }
      names.append(entry.name)
    }
    self.places = places
    self.names = names
  }

  func data(named name: String) throws(BundleFailure) -> Data {
    guard let place = places[name] else { throw BundleFailure(.notFound, "the archive has no \(name)") }
    guard let start = Self.dataStart(bytes, header: place.header), place.size <= bytes.count - start else {
      throw BundleFailure(.archive, "the archive ends inside \(name)")
    }
    return bytes.subdata(in: start..<(start + place.size))
  }

  /// The first entry of an archive, if it has that name, from its first bytes alone.
  static func first(at url: URL, named name: String) -> Data? {
    // Mapped: of a large archive only the first page is read.
    guard let all = try? Data(contentsOf: url, options: .mappedIfSafe) else { return nil }
    let head = Data(all.prefix(1024))
    guard let start = dataStart(head, header: 0),
      head.count >= start, let length = head.little(26, 2), 30 + length <= head.count,
      head.subdata(in: 30..<(30 + length)) == Data(name.utf8), let size = head.little(22, 4),
      size > 0, size <= 65, start + size <= head.count
    else { return nil }
    return head.subdata(in: start..<(start + size))
  }

  /// Behind a local header come name and extra field, and then the bytes.
  private static func dataStart(_ bytes: Data, header: Int) -> Int? {
    guard bytes.little(header, 4) == 0x0403_4B50, let name = bytes.little(header + 26, 2),
      let extra = bytes.little(header + 28, 2)
    else { return nil }
    let start = header + 30 + name + extra
    return start <= bytes.count ? start : nil
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
