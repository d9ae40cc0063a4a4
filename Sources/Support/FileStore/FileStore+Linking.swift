import Foundation

extension FileStore {
  /// Gives a regular file a second name in this store; where the file system has none to give, the file is copied.
  ///
  /// Whoever replaces the file by a new one leaves this name with the old bytes. Nothing is forced to the device.
  package func link(_ existing: String, as name: String) throws(FileStoreError) {
    let target = path(of: name)
    guard Self.isFileName(name) else {
      throw FileStoreError(.write, path: target, reason: .invalidName)
    }
    if calls.make(.link, target, { systemLink(existing, target) }) == 0 { return }
    // Another file system, somebody else's file, a file with as many names as it can have: all of them can be read.
    let failure = FileStoreError.last(.write, path: target)
    let url = URL(fileURLWithPath: existing)
    let source = FileStore(existing: url.deletingLastPathComponent(), calls: calls)
    guard let data = try source.read(url.lastPathComponent, keepingAccessDate: true) else { throw failure }
    try write(data, as: name)
  }
}

/// `link(2)`, by another name because the store has a method of that name. A link is not followed.
private func systemLink(_ existing: String, _ name: String) -> Int32 {
  linkat(AT_FDCWD, existing, AT_FDCWD, name, 0)
}
