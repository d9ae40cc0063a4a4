#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension FileStore {
  /// What is in the folder, by name; hidden files only if asked for. A folder that vanished is empty.
  public func entries(includingHidden: Bool = false) throws(FileStoreError) -> [FileEntry] {
    try names().filter { includingHidden || !$0.hasPrefix(".") }.sorted().compactMap(entry(named:))
  }

  /// Whether the folder is still there.
  public var folderExists: Bool { access(path, F_OK) == 0 }

  /// One entry, nil if nothing has this name.
  public func entry(named name: String) -> FileEntry? {
    var status = stat()
    guard Self.isFileName(name), lstat(path(of: name), &status) == 0 else { return nil }
    #if os(Linux)
      let (access, modification) = (status.st_atim, status.st_mtim)
    #else
      let (access, modification) = (status.st_atimespec, status.st_mtimespec)
    #endif
    return FileEntry(
      name: name, size: Int(status.st_size), allocatedSize: Int(status.st_blocks) * 512,
      accessDate: access.date, modificationDate: modification.date,
      isRegularFile: status.st_mode & S_IFMT == S_IFREG)
  }

  /// All names in the folder in no order, hidden ones too: one look at the folder, none at its files.
  public func names() throws(FileStoreError) -> [String] { try names(in: path) }

  func names(in path: String) throws(FileStoreError) -> [String] {
    guard let stream = opendir(path) else {
      if errno == ENOENT { return [] }
      throw .last(.list, path: path)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }
}
