import Digests
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
  init?(in bytes: Data, at offset: Int) {
    guard let nameLength = bytes.little(offset + 26, 2), let size = bytes.little(offset + 18, 4),
      let date = bytes.little(offset + 30 + nameLength + 5, 4), size < Self.tooLarge
    else { return nil }
    let nameStart = offset + 30
    let contents = nameStart + nameLength + Self.extraLength
    guard contents + size + Self.trailerLength <= bytes.count,
      let checksum = bytes.little(contents + size + 4, 4)
    else { return nil }
    let name = String(
      decoding: bytes.subdata(in: nameStart..<(nameStart + nameLength)), as: UTF8.self)
    self.init(
      name: name, size: size, date: date, checksum: UInt32(truncatingIfNeeded: checksum), offset: offset)
    guard bytes.has(header, at: offset), bytes.has(trailer, at: contents + size) else { return nil }
  }

  /// Where its contents lie in the archive.
  package var contents: Range<Int> {
    let start = offset + 30 + name.utf8.count + Self.extraLength
    return start..<(start + size)
  }

  /// Where the next entry, or the directory, begins.
  package var end: Int { contents.upperBound + Self.trailerLength }

  /// What stands before the contents. The checksum follows behind them.
  package var header: [UInt8] {
    var bytes = ZipBytes()
    bytes.add(0x0403_4B50, 4)
    addCommon(to: &bytes, version: 10, checksum: 0)
    bytes.bytes += name.utf8
    addExtra(to: &bytes)
    return bytes.bytes
  }

  /// What stands behind the contents.
  package var trailer: [UInt8] {
    var bytes = ZipBytes()
    bytes.add(0x0807_4B50, 4)
    bytes.add(Int(checksum), 4)
    bytes.add(size, 4)
    bytes.add(size, 4)
    return bytes.bytes
  }

  /// The entry's record in the directory at the archive's end.
  package var record: [UInt8] {
    let isFar = offset >= Self.tooLarge
    var bytes = ZipBytes()
    bytes.add(0x0201_4B50, 4)
    bytes.add(0x030A, 2)  // made on Unix
    addCommon(to: &bytes, version: isFar ? 45 : 10, checksum: checksum, isFar: isFar)
    bytes.add(0, 2)  // comment
    bytes.add(0, 2)  // disk
    bytes.add(0, 2)  // internal attributes
    bytes.add(0o100_644 << 16, 4)
    bytes.add(isFar ? Self.tooLarge : offset, 4)
    bytes.bytes += name.utf8
    addExtra(to: &bytes)
    if isFar {
      bytes.add(1, 2)
      bytes.add(8, 2)
      bytes.add(offset, 8)
    }
    return bytes.bytes
  }

  private static let extraLength = 24
  private static let trailerLength = 16
  private static let farLength = 12

  private func addCommon(to bytes: inout ZipBytes, version: Int, checksum: UInt32, isFar: Bool = false) {
    bytes.add(version, 2)
    bytes.add(8, 2)  // the checksum stands behind the contents
    bytes.add(0, 2)  // stored
    let (day, time) = dosDate
    bytes.add(time, 2)
    bytes.add(day, 2)
    bytes.add(Int(checksum), 4)
    bytes.add(size, 4)
    bytes.add(size, 4)
    bytes.add(name.utf8.count, 2)
    bytes.add(Self.extraLength + (isFar ? Self.farLength : 0), 2)
  }

  /// The date in seconds and the owner 0, as Info-ZIP's extra fields `UT` and `ux` have them.
  private func addExtra(to bytes: inout ZipBytes) {
    bytes.bytes += "UT".utf8
    bytes.add(5, 2)
    bytes.add(1, 1)
    bytes.add(date, 4)
    bytes.bytes += "ux".utf8
    bytes.add(11, 2)
    bytes.add(1, 1)
    for _ in 0..<2 {
      bytes.add(4, 1)
      bytes.add(0, 4)
    }
  }

  /// The date in UTC in steps of two seconds (section 4.4.6), by the calendar's rule of 400 years of 146,097 days.
  private var dosDate: (day: Int, time: Int) {
    let second = date % 86_400
    // Days since 0000-03-01: so the leap day is the last of its year.
    let days = date / 86_400 + 719_468
    let era = days / 146_097
    let dayOfEra = days % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    let (hour, minute) = (second / 3600, second / 60 % 60)
    return ((year - 1980) << 9 | month << 5 | day, hour << 11 | minute << 5 | (second % 60) / 2)
  }

  /// What ends an archive, behind the records of its entries.
  ///
  /// - Parameters:
  ///   - start: where the first record begins.
  ///   - size: bytes of all records.
  package static func ending(count: Int, start: Int, size: Int) -> [UInt8] {
    var bytes = ZipBytes()
    if count > 0xFFFF || start > tooLarge || size > tooLarge {
      bytes.add(0x0606_4B50, 4)
      bytes.add(44, 8)
      bytes.add(45, 2)
      bytes.add(45, 2)
      bytes.add(0, 8)  // disks
      bytes.add(count, 8)
      bytes.add(count, 8)
      bytes.add(size, 8)
      bytes.add(start, 8)
      bytes.add(0x0706_4B50, 4)
      bytes.add(0, 4)
      bytes.add(start + size, 8)
      bytes.add(1, 4)
    }
    bytes.add(0x0605_4B50, 4)
    bytes.add(0, 4)  // disks
    bytes.add(min(count, 0xFFFF), 2)
    bytes.add(min(count, 0xFFFF), 2)
    bytes.add(min(size, tooLarge), 4)
    bytes.add(min(start, tooLarge), 4)
    bytes.add(0, 2)  // comment
    return bytes.bytes
  }
}

/// Numbers of a zip, least significant byte first.
private struct ZipBytes {
  var bytes: [UInt8] = []

  init() { bytes.reserveCapacity(128) }

  mutating func add(_ value: Int, _ count: Int) {
    for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
  }
}

extension Data {
  /// An unsigned number, least significant byte first; nil where there are no such bytes.
  fileprivate func little(_ offset: Int, _ count: Int) -> Int? {
    guard offset >= 0, offset <= self.count - count else { return nil }
    var value: UInt64 = 0
    for index in (0..<count).reversed() { value = value << 8 | UInt64(self[startIndex + offset + index]) }
    return Int(exactly: value)
  }

  /// Whether these bytes stand there.
  func has(_ expected: [UInt8], at offset: Int) -> Bool {
    guard offset >= 0, expected.count <= count - offset else { return false }
    return self[(startIndex + offset)..<(startIndex + offset + expected.count)].elementsEqual(expected)
  }
}
