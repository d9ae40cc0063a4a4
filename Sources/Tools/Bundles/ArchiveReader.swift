import CArchive

/// Reads the entries of an archive one after the other through libarchive.
package struct ArchiveReader: ~Copyable {
  package struct Entry: Hashable {
    package var name: String
    /// Nil where the archive does not say it beforehand.
    package var size: Int?
    package var isFile: Bool
  }

  private let handle: UnsafeMutableRawPointer

  package init(path: String) throws(ArchiveWriter.Failure) {
    var error: UnsafeMutablePointer<CChar>?
    guard let handle = par_reader_open(path, &error) else { throw ArchiveWriter.Failure(taking: error) }
    self.handle = handle
  }

  deinit { par_reader_close(handle) }

  package func next() throws(ArchiveWriter.Failure) -> Entry? {
    var error: UnsafeMutablePointer<CChar>?
    var name: UnsafePointer<CChar>?
    var size: Int64 = 0
    var isFile: Int32 = 0
    let code = par_reader_next(handle, &name, &size, &isFile, &error)
    if code < 0 { throw ArchiveWriter.Failure(taking: error) }
    guard code > 0, let name else { return nil }
    return Entry(name: String(cString: name), size: size < 0 ? nil : Int(size), isFile: isFile != 0)
  }

  /// The bytes of the entry that came last.
  ///
  /// - Parameter limit: more than this is an error, not a larger array.
  package func bytes(limit: Int) throws(ArchiveWriter.Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      var error: UnsafeMutablePointer<CChar>?
      let count = buffer.withUnsafeMutableBytes {
        par_reader_read(handle, $0.baseAddress, $0.count, &error)
      }
      if count < 0 { throw ArchiveWriter.Failure(taking: error) }
      if count == 0 { return bytes }
      guard bytes.count + Int(count) <= limit else {
        throw ArchiveWriter.Failure(reason: "an entry is larger than \(limit) bytes")
      }
      bytes += buffer[..<Int(count)]
    }
  }
}
