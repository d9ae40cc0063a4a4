import FileStore
import Foundation

extension FolderRules {
  /// All that the client's own sweep would see.
  package func sweptFiles(in files: FileStore) throws(FileStoreError) -> [SweptFile] {
    var found: [SweptFile] = []
    try collect(files, folder: "", into: &found)
    return found
  }

  private func collect(
    _ files: FileStore, folder: String, into found: inout [SweptFile]
  ) throws(FileStoreError) {
    for entry in try files.entries() {
      let isFolder = sweepsSubfolders && !entry.isRegularFile && Self.isFolder(files, entry.name)
      found.append(
        SweptFile(folder: folder, entry: entry, isFolder: isFolder, lastUse: lastUse(entry, in: files)))
      if isFolder, let url = files.url(for: entry.name) {
        try collect(try FileStore(folder: url), folder: "\(folder)\(entry.name)/", into: &found)
      }
    }
  }

  /// A date of creation cannot be set on Linux. There the access date stands in as soon as the client's cache library has
  /// written it, always as a whole second.
  private func lastUse(_ entry: FileEntry, in files: FileStore) -> Date {
    guard eviction == .creationDate else { return .distantPast }
    let seconds = entry.accessDate.timeIntervalSince1970
    if seconds == seconds.rounded() { return entry.accessDate }
    return files.birthDate(of: entry.name) ?? .distantPast
  }

  /// A link to a folder does not count: its target is not in the cache.
  private static func isFolder(_ files: FileStore, _ name: String) -> Bool {
    let url = files.url(for: name)
    let attributes = url.flatMap { try? FileManager.default.attributesOfItem(atPath: $0.path) }
    return attributes?[.type] as? FileAttributeType == .typeDirectory
  }
}
