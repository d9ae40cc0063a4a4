import ClientKit
import Text

/// Rows of a plan that are alike: the same chain at the same scale, stored and looked up the same way. They differ in
/// source, line, keys and names of files.
package struct RowShape: Sendable {
  /// Equal for rows that are alike.
  package struct Kind: Hashable, Sendable {
    fileprivate let situation: Plan.Situation
    fileprivate let file: Int32
  }

  /// Ends of the keys of requests and entries, the request's own first.
  package let suffixes: [KeySuffix]
  package let client: any ImageClient
  fileprivate let judged: Plan.JudgedStorage
  /// Which of the lookups finds an entry first.
  fileprivate let firstFound: Int?

  /// Keys of a row in the order of the suffixes; nil where the app finds another entry than for the rows of this shape,
  /// or where there is no key.
  package func keys(base: String, in plan: Plan, into keys: inout [(text: String, isAppended: Bool)]) -> Bool
  {
    guard !base.isEmpty, plan.firstFound(judged, base) == firstFound else { return false }
    keys.removeAll(keepingCapacity: true)
    for suffix in suffixes {
      let joined = plan.client.joinedKey(base: base, suffix)
      keys.append((joined ?? base + suffix.text, joined == nil))
    }
    return true
  }
}

extension Plan {
  package func kind(of row: Row, sourceClass: Int) -> RowShape.Kind {
    RowShape.Kind(situation: situation(of: row, sourceClass: sourceClass), file: row.file)
  }

  package func shape(of row: Row, sourceClass: Int, base: String) -> RowShape {
    let judged = judgedStorage(of: row, sourceClass: sourceClass)
    var suffixes = [variants[Int(row.variant)].form.suffix]
    for other in judged.storage.entries.map(\.key) + judged.storage.lookups
    where !suffixes.contains(where: { $0.text.hasBytes(of: other.text) }) {
      suffixes.append(other)
    }
    return RowShape(
      suffixes: suffixes, client: client(of: row), judged: judged, firstFound: firstFound(judged, base))
  }

  fileprivate func firstFound(_ judged: JudgedStorage, _ base: String) -> Int? {
    judged.storage.lookups.indices.first { index in
      judged.worth[index] != .miss
        && (judged.isOwn[index]
          || keys.stores(KeyMark.Base(base).mark(judged.storage.lookups[index], of: client)))
    }
  }
}
