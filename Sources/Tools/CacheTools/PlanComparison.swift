import CacheStore
import FileStore
import Foundation
import Planning
import Text

/// Compares the plan of jobs with one that was printed earlier; nothing is made for it.
package struct PlanComparison: Sendable {
  /// Renditions of one chain at one scale.
  package struct Group: Sendable, Hashable {
    package var chain: String
    package var scale: Double
    package var added = 0
    package var removed = 0
    package var same = 0
    /// Files of the chain that the caches have, and their bytes.
    var known = 0
    var knownBytes = 0

    /// Expected size of the new ones, by the mean of those that are there; nil where none is there.
    package var expectedBytes: Int? { known == 0 ? nil : knownBytes / known * added }
    package var isChanged: Bool { added > 0 || removed > 0 }
  }

  private struct Kind: Hashable {
    var chain: String
    var scale: Double
  }

  /// A line of `plan --json`; only the members that are needed.
  private struct Row: Decodable {
    var type: String
    var key: String?
    var chain: String?
    var scale: Double?
    var client: String?
  }

  /// The older plan's renditions by key.
  private var before: [String: Kind] = [:]
  private var seen: Set<String> = []
  /// The clients and releases of the older plan, and of that of now.
  package private(set) var clients: (before: Set<String>, now: Set<String>) = ([], [])
  private var groupOfKind: [Kind: Group] = [:]

  /// - Parameter path: what `plan --json` printed.
  /// - Throws: ``ToolError`` where the file cannot be read, or is no plan.
  package init(before path: String) throws(ToolError) {
    var number = 0
    do throws(ReadFailure) {
      var reader = try LineReader(path: path)
      while let line = try reader.next() {
        number += 1
        guard case .text(let text) = line, let row = try? JSONDecoder().decode(Row.self, from: Data(text))
        else {
          throw ReadFailure(reason: "line \(number) is not from preheat plan --json")
        }
        guard row.type == "rendition", let key = row.key else { continue }
        if let client = row.client { clients.before.insert(client) }
        before[key] = Kind(chain: row.chain ?? "", scale: row.scale ?? 1)
      }
    } catch {
      throw ToolError(.cache(.input), "\(path) cannot be compared with: \(error.reason)")
    }
  }

  /// A rendition of the plan of now.
  package mutating func add(_ rendition: PlannedRendition, cache: String) {
    clients.now.insert(rendition.client.description)
    guard seen.insert(rendition.key).inserted else { return }
    let kind = Kind(chain: rendition.chain, scale: rendition.scale)
    var group = groupOfKind[kind] ?? Group(chain: kind.chain, scale: kind.scale)
    if before.removeValue(forKey: rendition.key) == nil { group.added += 1 } else { group.same += 1 }
    if let name = rendition.fileName, let status = CacheFileStatus(folder: cache, name: name) {
      group.known += 1
      group.knownBytes += Int(clamping: status.size)
    }
    groupOfKind[kind] = group
  }

  /// All chains of both plans, those with the most changes first. Asked for when the plan of now is in.
  package var groups: [Group] {
    var all = groupOfKind
    for kind in before.values {
      all[kind, default: Group(chain: kind.chain, scale: kind.scale)].removed += 1
    }
    return all.values.sorted {
      ($1.added + $1.removed, $0.chain, $0.scale) < ($0.added + $0.removed, $1.chain, $1.scale)
    }
  }
}

/// Sizes of a plan's entries that are in the cache already.
package struct KnownSizes: Sendable {
  private let folder: String
  /// A folder that is not there, or that holds nothing, is looked into once.
  private let isEmpty: Bool
  /// Bytes of the files that are there.
  private var bytes: [Int] = []
  /// Entries that are not there yet: nobody knows their size before they are made.
  package private(set) var unknown = 0
  /// Renditions of one source share files, and those of two sources none: that would be a collision.
  private var seen: Set<String> = []

  package init(folder: String) {
    self.folder = folder
    isEmpty = FileManager.default.enumerator(atPath: folder)?.nextObject() == nil
  }

  /// Takes the renditions of one source.
  package mutating func add(_ renditions: [PlannedRendition]) {
    seen.removeAll(keepingCapacity: true)
    for rendition in renditions {
      for store in rendition.stores where seen.insert(store.fileName).inserted {
        if !isEmpty, let status = CacheFileStatus(folder: folder, name: store.fileName) {
          bytes.append(Int(status.size))
        } else {
          unknown += 1
        }
      }
    }
  }

  /// Takes what was found of other sources.
  package mutating func add(_ other: KnownSizes) {
    bytes += other.bytes
    unknown += other.unknown
  }

  package func size(of plan: Plan) -> CacheSize { plan.size(of: bytes) }
}
