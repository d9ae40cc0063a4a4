import FileStore
import Foundation
import Text

/// Where a bundle goes: drafts lie beside it, and one of them takes its place.
struct BundlePlace {
  let output: URL
  let calls: FileCalls

  private static let oldSuffix = "-old"

  private var files: FileStore { FileStore(existing: output.deletingLastPathComponent(), calls: calls) }

  /// Removes those of processes that were killed. Where the bundle itself is gone, what was moved out of the way for a
  /// new one goes back.
  func removeAbandonedDrafts(prefix: String) throws(FileStoreError) {
    let files = files
    for name in try files.names().sorted() where name.hasPrefix(prefix) {
      guard let process = pid_t(name.dropFirst(prefix.count).prefix { $0 != "-" }), Self.isOver(process)
      else {
        continue
      }
      let path = files.path(of: name)
      if name.hasSuffix(Self.oldSuffix), files.entry(named: output.lastPathComponent) == nil {
        guard calls.make(.rename, output.path, { rename(path, output.path) }) == 0 else {
          throw .last(.publish, path: output.path)
        }
      } else {
        try files.remove(name)
      }
    }
  }

  /// A number may be given again, in another container even to two at a time; our own is ours alone.
  private static func isOver(_ process: pid_t) -> Bool {
    process == getpid() || kill(process, 0) != 0 && errno == ESRCH
  }

  /// A failure is ignored: the next bundle removes what is left of the draft.
  func remove(_ draft: URL) { try? files.remove(draft.lastPathComponent) }

  /// Puts a draft in the bundle's place, in one step where the system can.
  func publish(_ draft: URL, replacesFolder: Bool) throws(SystemCall.Failure) {
    guard replacesFolder else { return try move(draft, to: output) }
    // A folder cannot be renamed over one that has files, but two can change places.
    if try exchange(draft, output) { return remove(draft) }
    let old = URL(fileURLWithPath: draft.path + Self.oldSuffix)
    try move(output, to: old)
    try move(draft, to: output)
    remove(old)
  }

  private func move(_ source: URL, to target: URL) throws(SystemCall.Failure) {
    try calls.check(.rename, "put in place", target.path) { rename(source.path, target.path) }
  }

  /// - Returns: False where the system or the file system does not know how.
  private func exchange(_ one: URL, _ other: URL) throws(SystemCall.Failure) -> Bool {
    do throws(SystemCall.Failure) {
      try calls.check(.rename, "put in place", other.path) {
        renameat2(AT_FDCWD, one.path, AT_FDCWD, other.path, renameExchange)
      }
      return true
    } catch {
      guard [EINVAL, ENOSYS, ENOTSUP].contains(error.errno) else { throw error }
      return false
    }
  }
}

private let renameExchange: UInt32 = 2

// The C library's header hides it from Swift behind _GNU_SOURCE.
@_silgen_name("renameat2") private func renameat2(
  _ oldFolder: Int32, _ old: UnsafePointer<CChar>, _ newFolder: Int32, _ new: UnsafePointer<CChar>,
  _ flags: UInt32
) -> Int32
