import FileStore
import Foundation

extension DiskStorage.Backend {
  /// Writes a file in place of the one of the same key, unless it would be expired at once.
  ///
  /// - Parameters:
  ///   - value: the whole content.
  ///   - key: the computed key.
  ///   - expiration: nil takes the configured one.
  ///   - forcedExtension: of this file alone (8.1.0 and later).
  public func store(
    value: Data, forKey key: String, expiration: StorageExpiration? = nil, forcedExtension: String? = nil
  ) throws(KingfisherError) {
    let store = try readyStore()
    let now = now()
    let expiration = expiration ?? config.expiration
    guard let expiry = ExpirationDate.modificationDate(for: expiration, from: now) else { return }
    let dates = EntryDates(lastAccess: now.roundedUpToSecond, expiry: expiry)
    for name in try fileNames(forKey: key, forcedExtension: forcedExtension) {
      do {
        try store.write(value, as: name, dates: dates.fileDates)
      } catch {
        throw .cacheError(
          reason: .cannotCreateCacheFile(path: store.path(of: name), key: key, error: error))
      }
      note(name)
    }
  }

  /// The bytes of a computed key, nil if there are none or they have expired. A load, unlike a look, makes them
  /// last longer.
  ///
  /// - Throws: if a file that is there cannot be read. A key without a file name is a miss.
  public func value(
    forKey key: String, forcedExtension: String? = nil, extendingExpiration: ExpirationExtending = .cacheTime
  ) throws(KingfisherError) -> Data? {
    let store = try readyStore()
    let now = now()
    guard let name = try? cacheFileName(forKey: key, forcedExtension: forcedExtension),
      let dates = validDates(of: name, in: store, at: now)
    else { return nil }
    let data: Data?
    do {
      data = try store.read(name, keepingAccessDate: true)
    } catch {
      throw .cacheError(reason: .cannotLoadDataFromDisk(path: store.path(of: name), error: error))
    }
    let extending = config.version.controlsDiskExtension ? extendingExpiration : .cacheTime
    if data != nil, let longer = dates.extended(by: extending, at: now) {
      // As in Kingfisher a folder that cannot be written still serves.
      try? longer.write(to: name, in: store)
    }
    return data
  }

  /// Whether there is a file of a computed key that is valid at `referenceDate` (nil for now). Not a load.
  public func isCached(
    forKey key: String, referenceDate: Date? = nil, forcedExtension: String? = nil
  ) -> Bool {
    guard let store, let name = try? cacheFileName(forKey: key, forcedExtension: forcedExtension) else {
      return false
    }
    return validDates(of: name, in: store, at: referenceDate ?? now()) != nil
  }

  /// Removes the file of a computed key. A missing file is not an error.
  public func remove(forKey key: String, forcedExtension: String? = nil) throws(KingfisherError) {
    let store = try readyStore()
    guard let names = try? fileNames(forKey: key, forcedExtension: forcedExtension) else { return }
    for name in names { try remove(name, in: store) }
  }

  /// Empties the folder, other programs' files included.
  public func removeAll() throws(KingfisherError) {
    let store = try readyStore()
    do {
      try store.removeAll()
    } catch {
      throw .cacheError(reason: .cannotRemove(path: directoryURL.path, error: error))
    }
    forgetAll()
  }

  func remove(_ name: String, in store: FileStore) throws(KingfisherError) {
    do {
      try store.remove(name)
    } catch {
      throw .cacheError(reason: .cannotRemove(path: store.path(of: name), error: error))
    }
    if store.folder == directoryURL { forget(name) }
  }

  private func validDates(of name: String, in store: FileStore, at reference: Date) -> EntryDates? {
    guard mayContain(name), let entry = try? store.entry(named: name) else { return nil }
    let dates = EntryDates(of: entry, in: store)
    return dates.isExpired(at: reference) ? nil : dates
  }

  /// Bytes of content of all files in the folder and below it that are not hidden, expired ones too.
  public func totalSize() throws(KingfisherError) -> Int {
    try contents().reduce(0) { $0 + $1.size }
  }

  /// Removes the files that have expired, other programs' files included.
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

  /// What an app does with its folder when it leaves the foreground.
  func clean() throws(KingfisherError) {
    try removeExpiredValues()
    try removeSizeExceededValues()
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
