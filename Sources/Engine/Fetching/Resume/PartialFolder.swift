import Concurrency
import FileStore
import Foundation
import Text

/// The folder of unfinished bodies: `NAME.part` with the bytes so far, `NAME.head` with what they are. Names
/// are digests, so no URL is on disk.
struct PartialFolder: Sendable {
  /// Shorter beginnings are not worth a file.
  static let leastBytes = 64 << 10
  /// Older files belong to pictures that no job asks for any more.
  private static let maxAge: TimeInterval = 14 * 86_400

  let boot: String
  private let files: FileStore
  /// Names of the unfinished bodies. One process at a time uses the folder, and most downloads need no look at it.
  private let names: Locked<Set<String>>

  init(folder: URL, mostBytes: Int, boot: String = SystemFile.boot) throws(FileStoreError) {
    files = try FileStore(folder: folder, isPrivate: true)
    self.boot = boot
    try files.removeAbandonedTemporaries()
    names = Locked(Set(try Self.sweep(files, mostBytes: mostBytes).map { String($0.prefix { $0 != "." }) }))
  }

  /// Nil, with both files removed, where they do not match each other or this system start.
  package func read(_ name: String) -> (head: PartialHead, bytes: [UInt8])? {
    guard names.withLock({ $0.contains(name) }), let text = try? files.read(name + ".head") else {
      return nil
    }
    guard let head = PartialHead(text: String(decoding: text, as: UTF8.self)), head.boot == boot,
      let bytes = try? files.read(name + ".part"), !bytes.isEmpty, bytes.count < head.total
    else {
      remove(name)
      return nil
    }
    return (head, [UInt8](bytes))
  }

  package func save(_ head: PartialHead, as name: String) -> Bool {
    names.withLock { _ = $0.insert(name) }
    return (try? files.write(Data(head.text.utf8), as: name + ".head")) != nil
  }

  /// A descriptor at the end of the bytes that are to be kept, -1 if it cannot be had.
  func openPart(_ name: String, keeping count: Int) -> Int32 {
    guard let path = files.url(for: name + ".part")?.path else { return -1 }
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let descriptor = open(path, flags, 0o600)
    guard descriptor >= 0, ftruncate(descriptor, off_t(count)) == 0,
      lseek(descriptor, off_t(count), SEEK_SET) == off_t(count)
    else {
      if descriptor >= 0 { close(descriptor) }
      return -1
    }
    return descriptor
  }

  /// False where not all of it could be written.
  package func append(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { SystemCall.write(descriptor, $0) }
  }

  package func remove(_ name: String) {
    guard names.withLock({ $0.remove(name) != nil }) else { return }
    for ending in [".head", ".part"] { try? files.remove(name + ending) }
  }

  /// Removes old files, and the oldest ones beyond the limit.
  ///
  /// - Returns: The names of the files that are left.
  private static func sweep(_ files: FileStore, mostBytes: Int) throws(FileStoreError) -> [String] {
    let entries = try files.entries().sorted { $0.modificationDate > $1.modificationDate }
    var bytes = 0
    var left: [String] = []
    for entry in entries {
      bytes += entry.allocatedSize
      guard bytes > mostBytes || -entry.modificationDate.timeIntervalSinceNow > maxAge else {
        left.append(entry.name)
        continue
      }
      try? files.remove(entry.name)
    }
    return left
  }
}
