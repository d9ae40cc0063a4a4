import FileStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The two dates that Kingfisher keeps in a file's attributes: when it was used last, and when it expires.
///
/// On Apple systems they are the dates of creation and of modification. Linux lets nobody set the former. There the
/// access date takes its place once the storage has written it, always as a whole second; as long as it has
/// a fraction, it is the system's own and the date of birth counts, which for a file that came with a bundle is the
/// moment of its unpacking, as on a device.
struct EntryDates {
  /// Nil where neither date is known; nothing can be extended then.
  var lastAccess: Date?
  package var expiry: Date

  init(lastAccess: Date?, expiry: Date) {
    self.lastAccess = lastAccess
    self.expiry = expiry
  }

  init(of entry: FileEntry, in store: FileStore) {
    expiry = entry.modificationDate
    #if os(Linux)
      let access = entry.accessDate
      lastAccess = access == access.roundedUpToSecond ? access : store.birthDate(of: entry.name)
    #else
      lastAccess = store.birthDate(of: entry.name)
    #endif
  }

  package func isExpired(at reference: Date) -> Bool { expiry <= reference }

  /// The dates after a load at `now`, nil for no change. The period is taken from the dates as they were found, so
  /// an entry whose creation is later than its expiry dies of its first load, as in Kingfisher.
  package func extended(by extending: ExpirationExtending, at now: Date) -> EntryDates? {
    switch extending {
    case .none: return nil
    case .cacheTime:
      guard let lastAccess else { return nil }
      return EntryDates(
        lastAccess: now.roundedUpToSecond,
        expiry: ExpirationDate.clamped(now.addingTimeInterval(expiry.timeIntervalSince(lastAccess))))
    case .expirationTime(let expiration):
      let date = ExpirationDate.modificationDate(for: expiration, from: now)
      return EntryDates(lastAccess: now.roundedUpToSecond, expiry: date ?? now)
    }
  }

  /// What `FileStore` is to write.
  var fileDates: FileDates {
    #if os(Linux)
      FileDates(access: lastAccess, modification: expiry)
    #else
      FileDates(modification: expiry)
    #endif
  }

  /// Sets the dates of a file that is there.
  package func write(to name: String, in store: FileStore) throws(FileStoreError) {
    #if !os(Linux)
      // Before the other: a modification date ahead stays, whatever the system makes of a new creation date.
      if let lastAccess, let url = store.url(for: name) {
        try? FileManager.default.setAttributes([.creationDate: lastAccess], ofItemAtPath: url.path)
      }
    #endif
    try store.setDates(fileDates, of: name)
  }
}
