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

  /// Makes the file, in place of one that is there.
  init(path: String, calls: FileCalls) throws(SystemCall.Failure) {
    self.path = path
    self.calls = calls
    descriptor = try calls.check(.open, "write", path) {
      open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o666)
    }
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
    try write(entry.header + bytes + entry.trailer)
    entries.append(entry)
  }

  mutating func finish() throws(SystemCall.Failure) {
    let start = offset
    for entry in entries { try write(entry.record) }
    try write(ZipEntry.ending(count: entries.count, start: start, size: offset - start))
  }

  private mutating func write(_ bytes: [UInt8]) throws(SystemCall.Failure) {
    let (calls, path, descriptor) = (calls, path, descriptor)
    try calls.check(.write, "write", path) {
      bytes.withUnsafeBytes { SystemCall.write(descriptor, $0) } ? 0 : -1
    }
    offset += bytes.count
  }
}
