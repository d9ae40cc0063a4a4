import CArchive
import CacheBundleInstaller
import Digests
import FileStore
import Foundation
import Text

/// Writes an archive through libarchive: the same entries give the same bytes, anywhere and at any time.
package struct ArchiveWriter: ~Copyable {
  private var handle: UnsafeMutableRawPointer?

  /// - Parameter isCompressed: by Zstandard.
  package init(path: String, isCompressed: Bool) throws(BundleFailure) {
    var error: UnsafeMutablePointer<CChar>?
    handle = par_writer_open(path, Int32(isCompressed ? PAR_TAR_ZSTD : PAR_TAR), &error)
    if handle == nil { throw BundleFailure(taking: error) }
  }

  /// Writes a plain tar nowhere, and fails where its bytes are not those of a raw reader, which has to live longer.
  init(comparing reader: borrowing ArchiveReader) throws(BundleFailure) {
    var error: UnsafeMutablePointer<CChar>?
    handle = par_writer_compare(reader.handle, &error)
    if handle == nil { throw BundleFailure(taking: error) }
  }

  deinit {
    if let handle { par_writer_close(handle, nil) }
  }

  /// - Parameter modified: seconds since 1970.
  package func add(_ name: String, _ bytes: [UInt8], modified: Int) throws(BundleFailure) {
    var error: UnsafeMutablePointer<CChar>?
    let code = bytes.withUnsafeBytes {
      par_writer_add(handle, name, $0.baseAddress, $0.count, Int64(modified), &error)
    }
    if code != 0 { throw BundleFailure(taking: error) }
  }

  package mutating func close() throws(BundleFailure) {
    guard let open = handle else { return }
    handle = nil
    var error: UnsafeMutablePointer<CChar>?
    if par_writer_close(open, &error) != 0 { throw BundleFailure(taking: error) }
  }
}

extension BundleFailure {
  /// Takes over the message that a shim's call has left.
  fileprivate init(taking error: UnsafeMutablePointer<CChar>?) {
    self.init(.archive, error.map { String(cString: $0) } ?? "libarchive gives no reason")
    par_free(error)
  }
}

/// Reads the entries of an archive one after the other through libarchive.
package struct ArchiveReader: ~Copyable {
  package struct Entry: Hashable {
    package var name: String
    package var isFile: Bool
  }

  fileprivate let handle: UnsafeMutableRawPointer

  /// - Parameter isRaw: reads the whole file as one entry, without its compression.
  package init(path: String, isRaw: Bool = false) throws(BundleFailure) {
    var error: UnsafeMutablePointer<CChar>?
    guard let handle = par_reader_open(path, isRaw ? 1 : 0, &error) else {
      throw BundleFailure(taking: error)
    }
    self.handle = handle
  }

  deinit { par_reader_close(handle) }

  package func next() throws(BundleFailure) -> Entry? {
    var error: UnsafeMutablePointer<CChar>?
    var name: UnsafePointer<CChar>?
    var size: Int64 = 0
    var modified: Int64 = 0
    var isFile: Int32 = 0
    let code = par_reader_next(handle, &name, &size, &modified, &isFile, &error)
    if code < 0 { throw BundleFailure(taking: error) }
    guard code > 0, let name else { return nil }
    return Entry(name: String(cString: name), isFile: isFile != 0)
  }

  /// The bytes of the entry that came last.
  ///
  /// - Parameter limit: more than this is an error, not a larger array.
  package func bytes(limit: Int) throws(BundleFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    var isWithin = true
    try forEachPiece { piece in
      isWithin = bytes.count + piece.count <= limit
      if isWithin { bytes += piece }
      return isWithin
    }
    guard isWithin else { throw BundleFailure(.archive, "an entry is larger than \(limit) bytes") }
    return bytes
  }

  /// The same piece by piece.
  ///
  /// - Parameter body: returns false to stop.
  package func forEachPiece(_ body: (ArraySlice<UInt8>) -> Bool) throws(BundleFailure) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      var error: UnsafeMutablePointer<CChar>?
      let count = buffer.withUnsafeMutableBytes {
        par_reader_read(handle, $0.baseAddress, $0.count, &error)
      }
      if count < 0 { throw BundleFailure(taking: error) }
      if count == 0 || !body(buffer[..<Int(count)]) { return }
    }
  }
}

/// Writes a bundle's zip in its canonical form (``ZipEntry``). No archive library writes it: another version of one could
/// choose other bytes, and an installer would refuse them.
struct StoredZipWriter: ~Copyable {
  private let path: String
  private let calls: FileCalls
  private let descriptor: Int32
  private var entries: [ZipEntry] = []
  private var offset = 0
  /// What is to be written next: thousands of small entries go into few calls.
  private var pending: [UInt8] = []
  private static let mostPending = 256 << 10

  /// Makes the file, in place of one that is there.
  init(path: String, calls: FileCalls) throws(SystemCall.Failure) {
    let descriptor = try calls.check(.open, "write", path) {
      open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o666)
    }
    self.init(descriptor, path: path, calls: calls)
  }

  /// Apart from what can fail: Swift 6.2 does not compile both in one.
  private init(_ descriptor: Int32, path: String, calls: FileCalls) {
    self.path = path
    self.calls = calls
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// - Parameter modified: seconds since 1970.
  mutating func add(_ name: String, _ bytes: [UInt8], modified: Int) throws(SystemCall.Failure) {
    guard bytes.count < ZipEntry.tooLarge else {
      throw SystemCall.Failure(errno: EFBIG, call: "write", path: path)
    }
    let entry = ZipEntry(
      name: name, size: bytes.count, date: modified, checksum: bytes.withUnsafeBytes(CRC32.sum),
      offset: offset)
    try append(entry.header)
    try append(bytes)
    try append(entry.trailer)
    entries.append(entry)
  }

  mutating func finish() throws(SystemCall.Failure) {
    let start = offset
    for entry in entries { try append(entry.record) }
    try append(ZipEntry.ending(count: entries.count, start: start, size: offset - start))
    try flush()
  }

  private mutating func append(_ bytes: [UInt8]) throws(SystemCall.Failure) {
    if pending.count + bytes.count > Self.mostPending { try flush() }
    // The index is not copied.
    if bytes.count > Self.mostPending { pending = bytes } else { pending += bytes }
    offset += bytes.count
  }

  private mutating func flush() throws(SystemCall.Failure) {
    if pending.isEmpty { return }
    let (calls, path, descriptor, bytes) = (calls, path, descriptor, pending)
    pending = []
    pending.reserveCapacity(Self.mostPending)
    try calls.check(.write, "write", path) {
      bytes.withUnsafeBytes { SystemCall.write(descriptor, $0) } ? 0 : -1
    }
  }
}
