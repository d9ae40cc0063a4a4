import CacheStore
import ClientKit
import Foundation
import Planning
import Text

/// Compares the entries that jobs store with those of a plan that was printed earlier; nothing is made for it.
package struct PlanComparison: Sendable {
  /// Entries of one chain at one scale; originals are those of the chain `original`.
  package struct Group: Sendable, Hashable {
    package var chain: String
    package var scale: Double
    package var added = 0
    package var removed = 0
    package var same = 0
  }

  private struct Kind: Hashable {
    var chain: ByteText
    var scale: Double

    init(chain: String, scale: Double, content: String) {
      let isOriginal = content == EntryContent.original.rawValue
      (self.chain, self.scale) = isOriginal ? (ByteText("original"), 1) : (ByteText(chain), scale)
    }
  }

  /// A line of `plan --json`; only the members that are needed.
  private struct Row: Decodable {
    struct Store: Decodable {
      var file: String
      var content: String
    }

    var type: String
    var stores: [Store]?
    var chain: String?
    var scale: Double?
  }

  /// The older plan's entries by file name.
  private var before: [ByteText: Kind] = [:]
  private var seen: Set<ByteText> = []
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
        guard row.type == "rendition", let stores = row.stores else { continue }
        for store in stores where before[ByteText(store.file)] == nil {
          before[ByteText(store.file)] = Kind(
            chain: row.chain ?? "", scale: row.scale ?? 1, content: store.content)
        }
      }
    } catch {
      throw ToolError(.cache(.input), "\(path) cannot be compared with: \(error.reason)")
    }
  }

  /// A rendition of the plan of now.
  package mutating func add(_ rendition: PlannedRendition) {
    for store in rendition.stores where seen.insert(ByteText(store.fileName)).inserted {
      let kind = Kind(chain: rendition.chain, scale: rendition.scale, content: store.content.rawValue)
      let isNew = before.removeValue(forKey: ByteText(store.fileName)) == nil
      let count = isNew ? \Group.added : \.same
      groupOfKind[kind, default: Group(chain: kind.chain.text, scale: kind.scale)][keyPath: count] += 1
    }
  }

  // Asked for when the plan of now is in.
  package var added: Int { groupOfKind.values.reduce(0) { $0 + $1.added } }
  package var removed: Int { before.count }
  package var same: Int { groupOfKind.values.reduce(0) { $0 + $1.same } }

  /// The chains of both plans that differ, those with the most changes first.
  package var changes: [Group] {
    var all = groupOfKind
    for kind in before.values {
      all[kind, default: Group(chain: kind.chain.text, scale: kind.scale)].removed += 1
    }
    return all.values.filter { $0.added + $0.removed > 0 }.sorted {
      ($1.added + $1.removed, $0.chain, $0.scale) < ($0.added + $0.removed, $1.chain, $1.scale)
    }
  }
}
