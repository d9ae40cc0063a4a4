import CExif

/// What libexif finds in EXIF blocks.
package enum EXIFBlock {
  private static let head = Array("Exif\0\0".utf8)
  /// An APP1 segment cannot be longer; blocks of other containers may claim anything.
  private static let longest = 1 << 20
  /// An APP1 segment holds no more.
  private static let longestThumbnail = 65_535

  /// - Parameter block: with or without the head that JPEG files have and PNG files have not. It may be anything.
  /// - Returns: nil for a block of impossible size, too.
  private static func reading<Result>(
    _ block: some Collection<UInt8>, _ look: (UnsafeMutablePointer<ExifData>) -> Result?
  ) -> Result? {
    guard (8...longest).contains(block.count), let data = exif_data_new() else { return nil }
    defer { exif_data_unref(data) }
    // Entries are taken as they are: they need not be put right first.
    exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION)
    let whole = block.starts(with: head) ? Array(block) : head + block
    exif_data_load_data(data, whole, UInt32(whole.count))
    return look(data)
  }

  /// The thumbnail's bytes as libexif reads them, and so as `exif --extract-thumbnail` writes them; nil where
  /// there is none. They may be anything.
  package static func thumbnail(in block: some Collection<UInt8>) -> [UInt8]? {
    reading(block) { data in
      let count = Int(data.pointee.size)
      guard let bytes = data.pointee.data, (1...longestThumbnail).contains(count) else { return nil }
      return [UInt8](UnsafeBufferPointer(start: bytes, count: count))
    }
  }

  /// What a block says of how its picture is to be turned, 1 to 8, and 0 where it says nothing; -1 for what is not the
  /// one number that it should be.
  static func orientation(in block: some Collection<UInt8>) -> Int {
    let told = reading(block) { data -> Int? in
      guard let content = data.pointee.ifd.0?.pointee else { return 0 }
      var found = 0
      for index in 0..<Int(content.count) {
        guard let entry = content.entries[index]?.pointee, entry.tag == EXIF_TAG_ORIENTATION else { continue }
        guard found == 0, entry.format == EXIF_FORMAT_SHORT, entry.components == 1, entry.size == 2 else {
          return nil
        }
        found = Int(exif_get_short(entry.data, exif_data_get_byte_order(data)))
        guard (1...8).contains(found) else { return nil }
      }
      return found
    }
    return told ?? -1
  }
}
