import Text

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file that somebody named for the output of a command.
package enum OutputFile {
  /// Replaces a file in one step, so that a reader sees the old text or the new one, and keeps its rights.
  ///
  /// A device, a pipe or a socket is written to and stays what it is: as root a rename would put a file in its place. Of a
  /// link the file that it leads to is replaced, in that file's folder, and the link stays.
  ///
  /// - Throws: ``FileStoreError``; nothing has changed then, but for what a device or a pipe took.
  package static func write(_ data: Data, to path: String) throws(FileStoreError) {
    var status = stat()
    let isThere = stat(path, &status) == 0
    if isThere, status.st_mode & S_IFMT == S_IFDIR {
      throw FileStoreError(.write, path: path, reason: .isAFolder)
    }
    if isThere, status.st_mode & S_IFMT != S_IFREG { return try writeInPlace(data, path) }
    let target = isThere ? resolved(path) : try end(ofLink: path)
    let folder = URL(fileURLWithPath: target).deletingLastPathComponent().path
    let draft = try Draft(in: folder)
    try draft.fill(with: data, dates: FileDates())
    if isThere { _ = chmod(draft.path, status.st_mode & 0o7777) }
    try draft.publish(as: target)
  }

  private static func writeInPlace(_ data: Data, _ path: String) throws(FileStoreError) {
    let descriptor = SystemCall.repeated { open(path, O_WRONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw .last(.write, path: path) }
    defer { close(descriptor) }
    guard data.withUnsafeBytes({ SystemCall.write(descriptor, $0) }) else { throw .last(.write, path: path) }
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// Where a link leads whose file is not there yet; the path itself where it is no link.
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
