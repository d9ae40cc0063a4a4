import FileStore
import Foundation
import Planning

/// Something in a client's folder that a sweep may remove: a file, a link, a folder.
package struct SweptFile: Hashable {
  /// Relative to the cache folder, with a slash at its end; empty for what lies in the folder itself.
  package var folder = ""
  package var entry: FileEntry
  package var isFolder = false
  /// What Kingfisher takes for the last use.
  package var lastUse = Date.distantPast

  package var path: String { folder + entry.name }
  /// A folder counts, but has no size.
  var contentSize: Int { isFolder ? 0 : entry.size }
}

extension SweptFile {
  /// All that the client's own sweep would see. Nuke looks at the folder alone, Kingfisher below it, too.
  package static func all(in files: FileStore, client: CacheClient) throws(FileStoreError) -> [SweptFile] {
    switch client {
    case .nuke: return try files.entries().map { SweptFile(entry: $0) }
    case .kingfisher:
      var found: [SweptFile] = []
      try collect(files, folder: "", into: &found)
      return found
    }
  }

  private static func collect(
    _ files: FileStore, folder: String, into found: inout [SweptFile]
  ) throws(FileStoreError) {
    for entry in try files.entries() {
      let isFolder = !entry.isRegularFile && Self.isFolder(files, entry.name)
      found.append(
        SweptFile(
          folder: folder, entry: entry, isFolder: isFolder, lastUse: lastUse(of: entry, in: files)))
      if isFolder, let url = files.url(for: entry.name) {
        try collect(FileStore(existing: url), folder: "\(folder)\(entry.name)/", into: &found)
      }
    }
  }

  /// A link to a folder is none: what it leads to is not in the cache.
  private static func isFolder(_ files: FileStore, _ name: String) -> Bool {
    let url = files.url(for: name)
    let attributes = url.flatMap { try? FileManager.default.attributesOfItem(atPath: $0.path) }
    return attributes?[.type] as? FileAttributeType == .typeDirectory
  }

  /// Kingfisher keeps it in the date of creation, which nobody can set on Linux. There the access date stands in as
  /// soon as `KingfisherCache` has written it, always as a whole second.
  private static func lastUse(of entry: FileEntry, in files: FileStore) -> Date {
    let seconds = entry.accessDate.timeIntervalSince1970
    if seconds == seconds.rounded() { return entry.accessDate }
    return files.birthDate(of: entry.name) ?? .distantPast
  }
}
