/// Which files a cache gives up when it has grown too large: those read the longest ago.
public struct SizeSweep: Hashable, Sendable {
  /// Bytes on disk from which nothing is removed.
  public var sizeLimit: Int
  /// The part of the limit that is left after a sweep which removes anything.
  public var trimRatio: Double

  public init(sizeLimit: Int, trimRatio: Double) {
    self.sizeLimit = sizeLimit
    self.trimRatio = trimRatio
  }

  /// The entries to remove, in the order of removal. Equal access dates go by name, so that the same folder
  /// always loses the same files.
  public func victims(among entries: [FileEntry]) -> [FileEntry] {
    var size = entries.reduce(0) { $0 + $1.allocatedSize }
    guard size > sizeLimit else { return [] }
    let target = Int(Double(sizeLimit) * trimRatio)
    let oldestFirst = entries.sorted { ($0.accessDate, $0.name) < ($1.accessDate, $1.name) }
    return Array(
      oldestFirst.prefix { entry in
        guard size > target else { return false }
        size -= entry.allocatedSize
        return true
      })
  }
}
