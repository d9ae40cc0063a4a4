import FileStore
import Foundation

extension DiskStorage.Backend {
  /// Bytes of content of all files in the folder and below it that are not hidden, expired ones too.
  public func totalSize() throws(KingfisherError) -> Int {
    try contents().reduce(0) { $0 + $1.size }
  }

  /// Removes the files that have expired, whoever put them there.
  ///
  /// - Returns: what was removed.
  @discardableResult
  public func removeExpiredValues() throws(KingfisherError) -> [URL] {
    let now = now()
    return try contents().filter { !$0.isFolder && $0.dates.isExpired(at: now) }.map(remove)
  }

  /// If the files together reach ``DiskStorage/Config/sizeLimit``, removes those used the longest ago until the rest
  /// is at most half of it.
  ///
  /// Kingfisher's order among files last used in the same second is any; here it is that of their names. A folder
  /// counts as an entry without size that takes what is in it along, as there.
  ///
  /// - Returns: what was removed.
  @discardableResult
  public func removeSizeExceededValues() throws(KingfisherError) -> [URL] {
    let limit = config.sizeLimit
    guard limit > 0 else { return [] }
    let contents = try contents()
    var size = contents.reduce(0) { $0 + $1.size }
    guard size >= limit else { return [] }
    let oldestFirst = contents.sorted { ($0.lastAccess, $0.path) < ($1.lastAccess, $1.path) }
    var removed: [URL] = []
    for entry in oldestFirst {
      guard size > limit / 2 else { break }
      removed.append(try remove(entry))
      size -= entry.size
    }
    return removed
  }

  /// Something in the folder or below it.
  private struct Content {
    var store: FileStore
    var name: String
    var size: Int
    var isFolder: Bool
    var dates: EntryDates

    var path: String { store.folder.appendingPathComponent(name).path }
    /// What has no date goes first.
    var lastAccess: Date { dates.lastAccess ?? .distantPast }
  }

  private func remove(_ content: Content) throws(KingfisherError) -> URL {
    try remove(content.name, in: content.store)
    return content.store.folder.appendingPathComponent(content.name)
  }

  private func contents() throws(KingfisherError) -> [Content] {
    var contents: [Content] = []
    var stores = [try readyStore()]
    do throws(FileStoreError) {
      while let store = stores.popLast() {
        for entry in try store.entries() {
          let isFolder =
            !entry.isRegularFile && Self.isFolder(store.folder.appendingPathComponent(entry.name))
          contents.append(
            Content(
              store: store, name: entry.name, size: isFolder ? 0 : entry.size, isFolder: isFolder,
              dates: EntryDates(of: entry, in: store)))
          if isFolder {
            stores.append(try FileStore(folder: store.folder.appendingPathComponent(entry.name)))
          }
        }
      }
    } catch {
      throw .cacheError(reason: .fileEnumeratorCreationFailed(path: directoryURL.path, error: error))
    }
    return contents
  }

  /// Links to folders do not count: their targets are not in the cache.
  private static func isFolder(_ url: URL) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
    return attributes?[.type] as? FileAttributeType == .typeDirectory
  }
}
