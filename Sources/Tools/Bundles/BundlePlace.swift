import FileStore
import Foundation
import Text

/// Where a bundle goes: drafts lie beside it, and one of them takes its place.
struct BundlePlace {
  let output: URL
  let calls: FileCalls

  private static let oldSuffix = "-old"

  private var prefix: String { ".\(output.lastPathComponent).preheat-" }
  private var files: FileStore { FileStore(existing: output.deletingLastPathComponent(), calls: calls) }

  /// A new draft's lock; the draft and what it replaces have this name too, with something behind it.
  func lock() throws(FileStoreError) -> LockedFile {
    try LockedFile(prefix, in: files.path, calls: calls)
  }

  func draft(of lock: borrowing LockedFile) -> URL { URL(fileURLWithPath: lock.path + "-new") }

  /// Removes those of processes that were killed. Where the bundle itself is gone, what was moved out of the way for a
  /// new one goes back.
  func removeAbandonedDrafts() throws(FileStoreError) {
    let drafts = try files.names().filter { $0.utf8.starts(with: prefix.utf8) }
    for (name, drafts) in Dictionary(
      grouping: drafts, by: { prefix + $0.dropFirst(prefix.count).prefix { $0 != "-" } })
    {
      // A draft without a lock's file is one of an earlier release, or its lock was just removed.
      guard try files.entry(named: name)?.isRegularFile == true else {
        try remove(drafts)
        continue
      }
      guard let lock = LockedFile(abandoned: files.path(of: name), calls: calls) else { continue }
      try remove(drafts)
      _ = consume lock
    }
  }

  /// The lock's file, with the shortest name, goes last.
  private func remove(_ drafts: [String]) throws(FileStoreError) {
    for name in drafts.sorted(by: >) {
      let path = files.path(of: name)
      if name.hasSuffix(Self.oldSuffix), try files.entry(named: output.lastPathComponent) == nil {
        guard calls.make(.rename, output.path, { rename(path, output.path) }) == 0 else {
          throw .last(.publish, path: output.path)
        }
      } else {
        try files.remove(name)
      }
    }
  }

  /// A failure is ignored: the next bundle removes what is left of the draft.
  func remove(_ draft: URL) { try? files.remove(draft.lastPathComponent) }

  /// Puts a draft in the bundle's place, in one step where the system can.
  func publish(_ draft: URL, replacesFolder: Bool) throws(SystemCall.Failure) {
    guard replacesFolder else { return try move(draft, to: output) }
    // A folder cannot be renamed over one that has files, but two can change places.
    guard FileStore(existing: output.deletingLastPathComponent()).contains(output.lastPathComponent) else {
      return try move(draft, to: output)
    }
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
