import KingfisherCache
import NukeCache

/// Whose keys and files a job writes.
package enum CacheClient: Hashable, Sendable, CustomStringConvertible {
  case nuke(NukeVersion)
  case kingfisher(KingfisherVersion)

  /// The word in front of the version: `nuke`, `kingfisher`.
  package var name: String {
    switch self {
    case .nuke: "nuke"
    case .kingfisher: "kingfisher"
    }
  }

  /// `nuke 12.9.0`
  package var description: String {
    switch self {
    case .nuke(let version): "nuke \(version)"
    case .kingfisher(let version): "kingfisher \(version)"
    }
  }
}
