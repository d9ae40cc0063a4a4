import FileStore
import Foundation

extension SweptFile {
  /// All that lies in a folder and below it, for clients whose clean-up looks there too.
  ///
  /// - Parameter lastUse: what the client takes for the last use of an entry.
  package static func tree(
    in files: FileStore, lastUse: (FileEntry, FileStore) -> Date = { _, _ in .distantPast }
  ) throws(FileStoreError) -> [SweptFile] {
    var found: [SweptFile] = []
    try collect(files, folder: "", into: &found, lastUse)
    return found
  }

  private static func collect(
    _ files: FileStore, folder: String, into found: inout [SweptFile],
    _ lastUse: (FileEntry, FileStore) -> Date
  ) throws(FileStoreError) {
    for entry in try files.entries() {
      let isFolder = !entry.isRegularFile && isFolder(files, entry.name)
      found.append(
        SweptFile(folder: folder, entry: entry, isFolder: isFolder, lastUse: lastUse(entry, files)))
      if isFolder, let url = files.url(for: entry.name) {
        try collect(try FileStore(folder: url), folder: "\(folder)\(entry.name)/", into: &found, lastUse)
      }
    }
  }

  /// A link to a folder is none: what it leads to is not in the cache.
  private static func isFolder(_ files: FileStore, _ name: String) -> Bool {
    let url = files.url(for: name)
    let attributes = url.flatMap { try? FileManager.default.attributesOfItem(atPath: $0.path) }
    return attributes?[.type] as? FileAttributeType == .typeDirectory
  }
}
