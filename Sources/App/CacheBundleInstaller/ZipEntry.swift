import Foundation

/// An entry of a bundle's zip, and the bytes that stand for it.
///
/// The container is canonical: of everything that a zip may say in more than one way (APPNOTE.TXT 6.3.10, sections 4.3
/// to 4.5), a bundle has the one form below, so that name, size, date and checksum of the entries give all its bytes.
/// Writer and reader share this code. Entries are stored, with mode 0644 and owner 0.
package struct ZipEntry: Hashable, Sendable {
  package var name: String
  /// Bytes, fewer than ``tooLarge``.
  package var size: Int
  /// Seconds since 1970, in ``dates``.
  package var date: Int
  package var checksum: UInt32
  /// Where its local header begins.
  package var offset: Int

  /// An entry of this size needs another form of zip.
  package static let tooLarge = 0xFFFF_FFFF
  /// From 1980-01-01, the first date that a zip knows, to the last one of 32 bits.
  package static let dates = 315_532_800...0xFFFF_FFFF

  /// - Parameter date: seconds since 1970; one outside ``dates`` becomes the nearest in it.
  package init(name: String, size: Int, date: Int, checksum: UInt32, offset: Int) {
    self.name = name
    self.size = size
    self.date = min(max(date, Self.dates.lowerBound), Self.dates.upperBound)
    self.checksum = checksum
    self.offset = offset
  }

  /// Reads the entry whose local header begins at `offset`; nil where the bytes are not exactly those of an entry.
  ///
  /// - Parameter bytes: a number of bytes of the archive from a place on; nil where it has fewer.
  init?(at offset: Int, of bytes: (_ start: Int, _ count: Int) -> Data?) {
    guard let fixed = bytes(offset, Self.fixedLength), let nameLength = fixed.little(26, 2),
      let size = fixed.little(18, 4), size < Self.tooLarge,
      let head = bytes(offset, Self.fixedLength + nameLength + Self.extraLength),
      let date = head.little(Self.fixedLength + nameLength + 5, 4),
      let tail = bytes(offset + head.count + size, Self.trailerLength), let checksum = tail.little(4, 4)
    else { return nil }
    let name = String(decoding: head.dropFirst(Self.fixedLength).prefix(nameLength), as: UTF8.self)
    self.init(
      name: name, size: size, date: date, checksum: UInt32(truncatingIfNeeded: checksum), offset: offset)
    guard head.elementsEqual(header), tail.elementsEqual(trailer) else { return nil }
  }

  /// Where its contents lie in the archive.
  package var contents: Range<Int> {
    let start = offset + Self.fixedLength + name.utf8.count + Self.extraLength
    return start..<(start + size)
  }

  /// Where the next entry, or the directory, begins.
  package var end: Int { contents.upperBound + Self.trailerLength }

  /// The bytes before the contents. The checksum follows behind them.
  package var header: [UInt8] {
    Self.little((0x0403_4B50, 4)) + common(version: 10, checksum: 0) + name.utf8 + extra
  }

  /// The bytes behind the contents.
  package var trailer: [UInt8] { Self.little((0x0807_4B50, 4), (Int(checksum), 4), (size, 4), (size, 4)) }

  /// The entry's record in the directory at the archive's end.
  package var record: [UInt8] {
    let isFar = offset >= Self.tooLarge
    // Made on Unix; behind the sizes: comment, disk, internal and external attributes.
    return Self.little((0x0201_4B50, 4), (0x030A, 2))
      + common(version: isFar ? 45 : 10, checksum: checksum, isFar: isFar)
      + Self.little((0, 2), (0, 2), (0, 2), (0o100_644 << 16, 4), (isFar ? Self.tooLarge : offset, 4))
      + name.utf8 + extra + (isFar ? Self.little((1, 2), (8, 2), (offset, 8)) : [])
  }

  private static let fixedLength = 30
  private static let extraLength = 24
  private static let trailerLength = 16
  private static let farLength = 12

  /// Version, flags (the checksum stands behind the contents), method (stored), date, checksum, sizes and lengths.
  private func common(version: Int, checksum: UInt32, isFar: Bool = false) -> [UInt8] {
    let (day, time) = dosDate
    return Self.little(
      (version, 2), (8, 2), (0, 2), (time, 2), (day, 2), (Int(checksum), 4), (size, 4), (size, 4),
      (name.utf8.count, 2), (Self.extraLength + (isFar ? Self.farLength : 0), 2))
  }

  /// The date in seconds and the owner 0, as Info-ZIP's extra fields `UT` and `ux` have them.
  private var extra: [UInt8] {
    "UT".utf8 + Self.little((5, 2), (1, 1), (date, 4))
      + "ux".utf8 + Self.little((11, 2), (1, 1), (4, 1), (0, 4), (4, 1), (0, 4))
  }

  /// Numbers of a fixed width in bytes, the least significant byte first.
  private static func little(_ numbers: (value: Int, bytes: Int)...) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(64)
    for number in numbers {
      for index in 0..<number.bytes { bytes.append(UInt8(truncatingIfNeeded: number.value >> (8 * index))) }
    }
    return bytes
  }

  /// The date in UTC in steps of two seconds (section 4.4.6).
  private var dosDate: (day: Int, time: Int) {
    var (seconds, parts) = (time_t(date), tm())
    gmtime_r(&seconds, &parts)
    // A zip counts its years from 1980, and `tm` from 1900.
    let day = (parts.tm_year - 80) << 9 | (parts.tm_mon + 1) << 5 | parts.tm_mday
    return (Int(day), Int(parts.tm_hour << 11 | parts.tm_min << 5 | parts.tm_sec / 2))
  }

  /// The end of an archive, behind the records of its entries.
  ///
  /// - Parameters:
  ///   - start: where the first record begins.
  ///   - size: bytes of all records.
  package static func ending(count: Int, start: Int, size: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    if count > 0xFFFF || start > tooLarge || size > tooLarge {
      // Length of the rest, made and needed version, disks, counts, size and start; then where this record begins.
      bytes = little(
        (0x0606_4B50, 4), (44, 8), (45, 2), (45, 2), (0, 8), (count, 8), (count, 8), (size, 8), (start, 8),
        (0x0706_4B50, 4), (0, 4), (start + size, 8), (1, 4))
    }
    // Disks, counts, size, start and the length of a comment.
    return bytes
      + little(
        (0x0605_4B50, 4), (0, 4), (min(count, 0xFFFF), 2), (min(count, 0xFFFF), 2), (min(size, tooLarge), 4),
        (min(start, tooLarge), 4), (0, 2))
  }
}

extension Data {
  /// An unsigned number, least significant byte first; nil where there are no such bytes.
  fileprivate func little(_ offset: Int, _ count: Int) -> Int? {
    guard offset <= self.count - count else { return nil }
    var value: UInt64 = 0
    for index in (0..<count).reversed() { value = value << 8 | UInt64(self[startIndex + offset + index]) }
    return Int(exactly: value)
  }
}
