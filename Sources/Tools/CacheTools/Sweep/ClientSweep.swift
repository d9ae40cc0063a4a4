import FileStore
import Foundation
import NukeCache
import Planning

/// Which files a client removes from its folder of its own accord.
///
/// Nuke (`DataCache.performSweep`, 10.0.0 to 13.2.0): beyond the limit in allocated bytes, what was read the longest ago,
/// down to 70 %. Kingfisher (`DiskStorage`, 5.0.0 to 8.11.0): what has expired, and then, where the content reaches the
/// limit, what was used the longest ago, down to half of it.
struct ClientSweep {
  package var client: CacheClient
  /// Bytes; 0 for no limit.
  package var sizeLimit: Int
  package var now: Date

  package enum Reason: String, Hashable, Sendable {
    case expired, size
  }

  struct Victim: Hashable {
    package var file: SweptFile
    package var reason: Reason
  }

  /// In the order of removal.
  package func victims(among files: [SweptFile]) -> [Victim] {
    switch client {
    case .nuke:
      // Without a limit of its own a Nuke cache still has the library's.
      let limit = sizeLimit > 0 ? sizeLimit : DataCacheUpkeep.defaultSizeLimit
      let sweep = SizeSweep(sizeLimit: limit, trimRatio: DataCacheUpkeep.trimRatio)
      return sweep.victims(among: files.map(\.entry)).map {
        Victim(file: SweptFile(entry: $0), reason: .size)
      }
    case .kingfisher: return kingfisherVictims(among: files)
    }
  }

  private func kingfisherVictims(among files: [SweptFile]) -> [Victim] {
    var victims: [Victim] = []
    var rest: [SweptFile] = []
    for file in files {
      if !file.isFolder, file.entry.modificationDate <= now {
        victims.append(Victim(file: file, reason: .expired))
      } else {
        rest.append(file)
      }
    }
    var size = rest.reduce(0) { $0 + $1.contentSize }
    guard sizeLimit > 0, size >= sizeLimit else { return victims }
    // Equal dates go by path, so that the same folder always loses the same files; the client's order is any.
    for file in rest.sorted(by: { ($0.lastUse, $0.path) < ($1.lastUse, $1.path) }) {
      guard size > sizeLimit / 2 else { break }
      size -= file.contentSize
      victims.append(Victim(file: file, reason: .size))
    }
    return victims
  }
}
