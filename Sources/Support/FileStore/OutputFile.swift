import Foundation
import Text

/// A file that was named for the output of a command.
package enum OutputFile {
  /// How the file that a path leads to gets new bytes.
  package enum Place: Hashable, Sendable {
    /// A plain file, or none yet: another one gets this name, which is where all links end.
    case replaced(String)
    /// A device, a pipe or a socket: it stays what it is. As root a rename would put a file in its place.
    case writtenTo(String)
  }

  /// - Throws: ``FileStoreError`` for a folder and for links that go in a circle.
  package static func place(_ path: String) throws(FileStoreError) -> Place {
    guard let status = try FileCalls.system.status(of: path, followsLinks: true) else {
      return .replaced(try end(ofLink: path))
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw FileStoreError(.write, path: path, reason: .isAFolder)
    case S_IFREG: return .replaced(SystemCall.realPath(path) ?? path)
    default: return .writtenTo(path)
    }
  }

  /// Whether a path leads to a folder, which no file can be written as.
  package static func isFolder(_ path: String) -> Bool { (try? FileCalls.system.isFolder(path)) ?? false }

  /// Whether a path leads to a folder or into it, as far as there is anything: links count where they lead.
  package static func isInside(_ path: String, of folder: String) -> Bool {
    (PathText.real(path) + "/").utf8.starts(with: (PathText.real(folder) + "/").utf8)
  }

  /// Replaces a file in one step, so that a reader sees the old text or the new one, and keeps its rights.
  ///
  /// A device, a pipe or a socket is written to. Of a link the file that it leads to is replaced, in that file's
  /// folder, and the link stays.
  ///
  /// - Parameter isPrivate: a plain file is its owner's alone then, whatever rights the one before it had.
  /// - Throws: ``FileStoreError``; nothing has changed then, except for bytes that a device or a pipe took.
  package static func write(
    _ data: Data, to path: String, isPrivate: Bool = false
  ) throws(FileStoreError) {
    let target: String
    switch try place(path) {
    case .writtenTo(let path): return try append(data, to: path)
    case .replaced(let path): target = path
    }
    let before = try FileCalls.system.status(of: target, followsLinks: true)
    let folder = URL(fileURLWithPath: target).deletingLastPathComponent().path
    let draft = try Draft(in: folder, mode: isPrivate ? 0o600 : 0o644)
    try draft.fill(with: data, dates: FileDates())
    if let before, !isPrivate { _ = chmod(draft.path, before.st_mode & 0o7777) }
    try draft.publish(as: target)
  }

  /// Adds to a file, a device or a pipe. What others add meanwhile stays, and so does who may read the file.
  package static func append(_ data: Data, to path: String) throws(FileStoreError) {
    var data: Data? = data
    // In a folder that all may write to, Linux refuses O_CREAT for another user's file that is there.
    let isThere = try FileCalls.system.status(of: path, followsLinks: true) != nil
    try writeInPlace(path, O_APPEND | (isThere ? 0 : O_CREAT)) { () throws(FileStoreError) in data.take() }
  }

  /// Writes a file's bytes to a device or a pipe.
  package static func copy(_ file: String, to path: String) throws(FileStoreError) {
    let input = SystemCall.repeated { open(file, O_RDONLY | O_CLOEXEC) }
    guard input >= 0 else { throw .last(.read, path: file) }
    defer { close(input) }
    var buffer = Data(count: 1 << 20)
    try writeInPlace(path) { () throws(FileStoreError) in
      let count = buffer.withUnsafeMutableBytes { SystemCall.read(input, into: $0) }
      guard count >= 0 else { throw .last(.read, path: file) }
      return count > 0 ? buffer.prefix(count) : nil
    }
  }

  private static func writeInPlace(
    _ path: String, _ flags: Int32 = 0, _ next: () throws(FileStoreError) -> Data?
  ) throws(FileStoreError) {
    let descriptor = SystemCall.repeated { open(path, O_WRONLY | O_CLOEXEC | flags, 0o644) }
    guard descriptor >= 0 else { throw .last(.write, path: path) }
    defer { close(descriptor) }
    while let data = try next() {
      guard data.withUnsafeBytes({ SystemCall.write(descriptor, $0) }) else {
        throw .last(.write, path: path)
      }
    }
  }

  /// Where a link leads whose file is not there yet; the path itself where it is not a link.
  private static func end(ofLink path: String) throws(FileStoreError) -> String {
    var path = path
    // As many as the kernel follows.
    for _ in 0..<40 {
      guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { return path }
      path =
        next.hasPrefix("/")
        ? next : URL(fileURLWithPath: path).deletingLastPathComponent().path + "/" + next
    }
    throw FileStoreError(.write, path: path, reason: .other(number: ELOOP))
  }
}
