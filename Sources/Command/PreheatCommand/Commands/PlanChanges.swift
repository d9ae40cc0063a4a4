import CacheTools
import FileStore
import Syntax
import Text

/// The output of `plan --compare`: changes by chain, and how they change the size of the caches.
struct PlanChanges {
  private let groups: [PlanComparison.Group]
  /// Clients and releases, where they are others than before.
  private let clients: (before: String, now: String)?

  init(_ comparison: PlanComparison) throws(FileStoreError) {
    groups = try comparison.groups()
    let (before, now) = comparison.clients
    clients =
      before.isEmpty || now.isEmpty || before == now
      ? nil : (before.sorted().joined(separator: ", "), now.sorted().joined(separator: ", "))
  }

  private var added: Int { groups.reduce(0) { $0 + $1.added } }
  private var removed: Int { groups.reduce(0) { $0 + $1.removed } }
  /// Of those that are in the caches.
  private var removedBytes: Int { groups.reduce(0) { $0 + $1.removedBytes } }
  private var same: Int { groups.reduce(0) { $0 + $1.same } }
  /// Nil where nothing is known of a chain that has new renditions.
  private var expectedBytes: Int? {
    let expected = groups.filter { $0.added > 0 }.map(\.expectedBytes)
    return expected.contains(nil) ? nil : expected.reduce(0) { $0 + ($1 ?? 0) }
  }

  /// - Parameter isPruned: whether a run removes what is gone.
  func text(isPruned: Bool) -> String {
    var text = "\(added) new, \(removed) gone, \(same) as before"
    if added > 0 {
      text +=
        expectedBytes.map { "; the new ones take about \(ByteCountText.text($0))" } ?? "; sizes not known yet"
    }
    if removedBytes > 0 { text += "; the gone ones take \(ByteCountText.text(removedBytes)) of the cache" }
    text += "\n"
    if let clients { text += "client: \(clients.now), before \(SafeText.escape(clients.before))\n" }
    for group in changed {
      var parts: [String] = []
      if group.added > 0 {
        let bytes = group.expectedBytes.map { ", about \(ByteCountText.text($0))" } ?? ""
        parts.append("\(group.added) new\(bytes)")
      }
      if group.removed > 0 {
        let bytes = group.removedBytes > 0 ? ", \(ByteCountText.text(group.removedBytes))" : ""
        parts.append("\(group.removed) gone\(bytes)")
      }
      let scale = group.chain == "original" ? "" : " @\(NumberText.plain(group.scale))x"
      let chain = SafeText.escape(group.chain) + scale
      text += "    \(chain)  \(parts.joined(separator: ", "))\n"
    }
    if removedBytes > 0, !isPruned { text += "    a run keeps what is gone; with --prune it removes it\n" }
    return text
  }

  private var changed: [PlanComparison.Group] { groups.filter(\.isChanged) }
}

extension PlanChanges: JSONRecord {
  static let json = JSONMembers<Self>(
    type: "comparison", ("added", \.added), ("removed", \.removed), ("same", \.same),
    ("expectedBytes", \.expectedBytes), ("removedBytes", \.removedBytes), ("client", \.clients?.now),
    ("clientBefore", \.clients?.before), ("chains", \.changed))
}

extension PlanComparison.Group: JSONRecord {
  package static let json = JSONMembers<Self>(
    ("chain", \.chain), ("scale", \.scale), ("added", \.added), ("removed", \.removed), ("same", \.same),
    ("expectedBytes", \.expectedBytes), ("removedBytes", \.removedBytes))
}
