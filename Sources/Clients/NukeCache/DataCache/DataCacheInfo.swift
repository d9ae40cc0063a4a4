import FileStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The hidden file in which Nuke 12.1.5 and later remembers its last automatic sweep.
///
/// Without it the first launch sweeps a folder after five seconds.
public struct DataCacheInfo: Codable, Hashable, Sendable {
  public static let fileName = ".data-cache-info"

  /// Written as seconds since 2001-01-01 UTC, a JSON number.
  public var lastSweepDate: Date?

  public init(lastSweepDate: Date? = nil) {
    self.lastSweepDate = lastSweepDate
  }

  /// What the folder says. As in Nuke a missing file and one that makes no sense both mean "never swept".
  public init(readingFrom store: FileStore) {
    let data = try? store.read(Self.fileName)
    self = data.flatMap { try? JSONDecoder().decode(Self.self, from: $0) } ?? DataCacheInfo()
  }

  public func write(to store: FileStore) throws(FileStoreError) {
    try store.write(encoded, as: Self.fileName)
  }

  /// The file's bytes.
  package var encoded: Data {
    // Only a date that is not a number cannot be encoded, and that is no date.
    (try? JSONEncoder().encode(self)) ?? Data("{}".utf8)
  }
}
