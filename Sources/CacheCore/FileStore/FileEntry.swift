#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One thing in a store's folder, as a listing sees it: a file, a folder, a link itself.
public struct FileEntry: Hashable, Sendable {
  public var name: String
  /// Bytes of content.
  public var size: Int
  /// Bytes that the file system spends on it: blocks of 512. This is what the clients' limits count.
  public var allocatedSize: Int
  public var accessDate: Date
  public var modificationDate: Date
  public var isRegularFile: Bool

  public init(
    name: String, size: Int, allocatedSize: Int, accessDate: Date, modificationDate: Date,
    isRegularFile: Bool = true
  ) {
    self.name = name
    self.size = size
    self.allocatedSize = allocatedSize
    self.accessDate = accessDate
    self.modificationDate = modificationDate
    self.isRegularFile = isRegularFile
  }
}
