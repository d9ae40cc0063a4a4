import Concurrency
import Foundation
import Text

extension FileStore {
  /// The folder's contents by name; hidden files only if asked for. A folder that vanished is empty.
  package func entries(includingHidden: Bool = false) throws(FileStoreError) -> [FileEntry] {
    let names = try names().filter { includingHidden || !Self.isHidden($0) }.sorted()
    // By its descriptor the system does not walk down to the folder for each file.
    let descriptor = calls.make(.list, path) { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else {
      if SystemCall.meansAbsence(errno) { return [] }
      throw .last(.list, path: path)
    }
    defer { close(descriptor) }
    let found = names.concurrentMap(least: 1000) { name in
      Result { () throws(FileStoreError) in
        try calls.status(of: name, in: descriptor).map { FileEntry(name: name, $0) }
      }
    }
    var entries: [FileEntry] = []
    entries.reserveCapacity(found.count)
    for (name, result) in zip(names, found) {
      do throws(FileStoreError) { if let entry = try result.get() { entries.append(entry) } } catch {
        throw FileStoreError(.read, path: path(of: name), reason: error.reason)
      }
    }
    return entries
  }

  /// The same without hidden files, to look up in.
  package func listing() throws(FileStoreError) -> FolderListing { FolderListing(try entries()) }

  /// One entry, nil if nothing has this name.
  package func entry(named name: String) throws(FileStoreError) -> FileEntry? {
    guard Self.isFileName(name) else { return nil }
    return try calls.status(of: path(of: name)).map { FileEntry(name: name, $0) }
  }

  /// What lies in the folder and in those below it, hidden files excepted, each with the store of its folder.
  package func tree() throws(FileStoreError) -> [(store: FileStore, entry: FileEntry)] {
    var found: [(store: FileStore, entry: FileEntry)] = []
    for entry in try entries() {
      found.append((self, entry))
      guard entry.isFolder else { continue }
      found += try FileStore(existing: folder.appendingPathComponent(entry.name), calls: calls).tree()
    }
    return found
  }

  /// All names in the folder in no order, hidden ones too: one look at the folder, none at its files.
  package func names() throws(FileStoreError) -> [String] { try names(in: path) }

  package func names(in path: String) throws(FileStoreError) -> [String] {
    var opened: OpaquePointer?
    let result = calls.make(.list, path) {
      opened = opendir(path)
      return opened == nil ? -1 : 0
    }
    guard result == 0, let stream = opened else {
      if errno == ENOENT { return [] }
      throw .last(.list, path: path)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      var next: UnsafeMutablePointer<dirent>?
      // Nothing may be the end or an error; only the number tells.
      let result = calls.make(.list, path) {
        errno = 0
        next = readdir(stream)
        return next == nil && errno != 0 ? -1 : 0
      }
      guard result == 0 else { throw .last(.list, path: path) }
      guard let entry = next else { break }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }
}

/// One thing in a store's folder, as a listing sees it: a file, a folder, a link itself.
package struct FileEntry: Hashable, Sendable {
  package var name: String
  /// Bytes, at most ``largest``.
  package var size: Int
  /// Bytes that the file system spends on it: blocks of 512. This is what the clients' limits count.
  package var allocatedSize: Int
  package var accessDate: Date
  package private(set) var modificationDate: Date
  /// Where Linux has none that can be set: when the file was last changed, its dates included.
  private var creationDate: Date
  /// The same as ``CacheFileStatus`` has it.
  private var modified: Int64
  package var isRegularFile: Bool
  /// A link to a folder is not a folder: its target is not in the cache.
  package var isFolder = false

  package var status: CacheFileStatus { CacheFileStatus(size: Int64(size), modified: modified) }

  /// A larger file counts as one of this size, 1 TiB: a sparse one may say any size, and the sizes of a folder are added.
  package static let largest = 1 << 40

  package init(
    name: String, size: Int, allocatedSize: Int, accessDate: Date, modificationDate: Date,
    creationDate: Date? = nil, isRegularFile: Bool = true
  ) {
    self.name = name
    self.size = min(size, Self.largest)
    self.allocatedSize = min(allocatedSize, Self.largest)
    self.accessDate = accessDate
    self.modificationDate = modificationDate
    self.creationDate = creationDate ?? accessDate
    let nanoseconds = (modificationDate.timeIntervalSince1970 * 1e9).rounded()
    modified = Int64(exactly: nanoseconds) ?? (nanoseconds < 0 ? .min : .max)
    self.isRegularFile = isRegularFile
  }

  /// The last use, for clients that keep it in the date of creation. On Linux the access date takes its place once a cache
  /// library here has written it, always as a whole second; with a fraction it is the system's own.
  package var lastUse: Date {
    #if os(Linux)
      if accessDate == accessDate.roundedUpToSecond { return accessDate }
    #endif
    return creationDate
  }
}

extension Date {
  /// Rounded up to a whole second, as Kingfisher writes dates to files.
  package var roundedUpToSecond: Date { Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.up)) }
}

extension FileEntry {
  fileprivate init(name: String, _ status: stat) {
    self.init(
      name: name, size: Int(status.st_size), allocatedSize: Int(status.st_blocks) * 512,
      accessDate: status.accessTime.date, modificationDate: status.modificationTime.date,
      creationDate: status.creationTime.date, isRegularFile: status.st_mode & S_IFMT == S_IFREG)
    modified = status.modificationTime.nanoseconds
    isFolder = status.st_mode & S_IFMT == S_IFDIR
  }
}

/// What lay in a folder at one moment: one pass over it costs less than a look at each file when its turn comes.
package struct FolderListing: Hashable, Sendable {
  /// By name.
  package let entries: [FileEntry]
  private let places: [ByteText: Int]

  package init(_ entries: [FileEntry]) {
    self.entries = entries
    places = Dictionary(zip(entries.lazy.map { ByteText($0.name) }, entries.indices)) { first, _ in first }
  }

  /// The place among the entries of a regular file; nil where there was none of that name.
  package func place(of name: String) -> Int? {
    places[ByteText(name)].flatMap { entries[$0].isRegularFile ? $0 : nil }
  }

  package subscript(name: String) -> CacheFileStatus? {
    place(of: name).map { entries[$0].status }
  }
}

/// The status of a regular file in a cache folder; links are not followed.
package struct CacheFileStatus: Hashable, Sendable, Codable {
  package var size: Int64
  /// Modification time in nanoseconds since 1970. Of dates that 64 bits cannot hold, before 1677 and after 2262, the
  /// nearest that they can.
  package var modified: Int64

  package init(size: Int64, modified: Int64) {
    self.size = size
    self.modified = modified
  }

  /// Nil where there is no regular file of that name.
  package init?(folder: String, name: String, calls: FileCalls = .system) throws(FileStoreError) {
    guard let info = try calls.status(of: folder + "/" + name), info.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    size = min(Int64(info.st_size), Int64(FileEntry.largest))
    modified = info.modificationTime.nanoseconds
  }
}
