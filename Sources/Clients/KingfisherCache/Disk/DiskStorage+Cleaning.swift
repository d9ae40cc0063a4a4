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
    return try contents().filter { content in
      !content.entry.isFolder && EntryDates(of: content.entry, in: content.store).isExpired(at: now)
    }.map(remove)
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
    // What has no date goes first.
    return try contents().oldest(
      { (EntryDates(of: $0.entry, in: $0.store).lastAccess ?? .distantPast, $0.url.path, $0.size) },
      where: { $0 >= limit }, until: { $0 <= limit / 2 }
    ).map(remove)
  }

  /// Something in the folder or below it.
  private struct Content {
    var store: FileStore
    var entry: FileEntry

    var size: Int { entry.isFolder ? 0 : entry.size }
    var url: URL { store.folder.appendingPathComponent(entry.name) }
  }

  private func remove(_ content: Content) throws(KingfisherError) -> URL {
    try remove(content.entry.name, in: content.store)
    return content.url
  }

  private func contents() throws(KingfisherError) -> [Content] {
    let store = try readyStore()
    do {
      return try store.tree().map { Content(store: $0.store, entry: $0.entry) }
    } catch {
      throw .cacheError(reason: .fileEnumeratorCreationFailed(path: directoryURL.path, error: error))
    }
  }
}
