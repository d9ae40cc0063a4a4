import Foundation

/// A flat folder of files that are whole or absent.
///
/// A file is written under a temporary name and renamed, never in place, so a reader sees the old bytes or
/// the new ones and a process that dies leaves nothing torn. Temporaries lie hidden in the folder itself or
/// in another folder of the same file system. The value holds no state and no descriptor: any number of
/// threads and processes may use the same folder.
package struct FileStore: Sendable {
  package let folder: URL
  /// Where unfinished files lie: the folder itself, where they are hidden, if no other was given.
  package let temporaryFolder: URL

  package let path: String
  private let pathPrefix: String
  let temporaryPath: String
  package let calls: FileCalls
  /// Whether folders and files are for this user alone.
  private let isPrivate: Bool

  /// Creates the folders, with those above them.
  ///
  /// - Parameters:
  ///   - temporaryFolder: must be on the same file system as `folder`.
  ///   - isPrivate: keeps other users out of the folder, and out of each file that is written.
  package init(
    folder: URL, temporaryFolder: URL? = nil, isPrivate: Bool = false, calls: FileCalls = .system
  ) throws(FileStoreError) {
    self.init(existing: folder, temporaryFolder: temporaryFolder, isPrivate: isPrivate, calls: calls)
    try createFolders()
  }

  /// For reading only: nothing is created.
  package init(
    existing folder: URL, temporaryFolder: URL? = nil, isPrivate: Bool = false, calls: FileCalls = .system
  ) {
    self.isPrivate = isPrivate
    self.folder = folder
    self.temporaryFolder = temporaryFolder ?? folder
    self.calls = calls
    path = folder.path
    pathPrefix = path + "/"
    temporaryPath = self.temporaryFolder.path
  }

  /// Where a file of this name lies or would lie; nil if the text cannot be a file's name.
  package func url(for name: String) -> URL? {
    Self.isFileName(name) ? folder.appendingPathComponent(name) : nil
  }

  /// Whether text can be the name of a file in this folder and nowhere else. Names may come from an app's
  /// own code and so from a URL: one with a slash would reach outside.
  package static func isFileName(_ text: String) -> Bool {
    guard !text.isEmpty, text != ".", text != ".." else { return false }
    let slash = UInt8(ascii: "/")
    // Every read asks; over contiguous bytes it costs a tenth of what it does over the view.
    let isPlain = text.utf8.withContiguousStorageIfAvailable { !$0.contains(slash) && !$0.contains(0) }
    return isPlain ?? !text.utf8.contains { $0 == slash || $0 == 0 }
  }

  func createFolders() throws(FileStoreError) {
    for folder in temporaryPath == path ? [path] : [path, temporaryPath] {
      try calls.makeFolder(folder, mode: isPrivate ? 0o700 : 0o777)
      // The folder may have been there with another mode.
      if isPrivate { _ = chmod(folder, 0o700) }
    }
  }

  func draft(isLocked: Bool = true) throws(FileStoreError) -> Draft {
    try Draft(in: temporaryPath, mode: isPrivate ? 0o600 : 0o644, isLocked: isLocked, calls: calls)
  }

  /// Runs a write, and runs it once more in a new folder if the folder has vanished meanwhile.
  func recreatingFolders(_ write: () throws(FileStoreError) -> Void) throws(FileStoreError) {
    do {
      try write()
    } catch  where error.reason == .notFound {
      try createFolders()
      try write()
    }
  }

  package func path(of name: String) -> String { pathPrefix + name }
}
