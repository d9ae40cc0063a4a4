import CacheBundleInstaller
import Digests
import FileStore
import Foundation
import Text

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
