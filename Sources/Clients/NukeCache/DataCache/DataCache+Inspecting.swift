import FileStore

extension DataCache {
  /// The number of entries on disk. Staged changes do not count until they are flushed.
  public var totalCount: Int { entries.count }

  /// Bytes of content of the files on disk.
  public var totalSize: Int { entries.reduce(0) { $0 + $1.size } }

  /// Bytes that the files take on disk, which is what ``sizeLimit`` limits.
  public var totalAllocatedSize: Int { entries.reduce(0) { $0 + $1.allocatedSize } }

  /// What is in the folder, hidden files excepted; nothing if it cannot be listed.
  private var entries: [FileEntry] {
    do { return try store.entries() } catch { return [] }
  }
}
