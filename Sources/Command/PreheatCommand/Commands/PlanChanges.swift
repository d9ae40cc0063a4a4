import CacheTools
import Text

/// The output of `plan --compare`: changes by chain, and how they change the size of the caches.
struct PlanChanges {
  private let groups: [PlanComparison.Group]
  private let added: Int
  private let removed: Int
  private let same: Int
  /// Clients and releases, where they are others than before.
  private let clients: (before: String, now: String)?
  /// Nil where nothing is known of a chain that has new renditions.
  private let expectedBytes: Int?

  init(_ comparison: PlanComparison) {
    groups = comparison.groups
    let (before, now) = comparison.clients
    clients =
      before.isEmpty || now.isEmpty || before == now
      ? nil : (before.sorted().joined(separator: ", "), now.sorted().joined(separator: ", "))
    added = groups.reduce(0) { $0 + $1.added }
    removed = groups.reduce(0) { $0 + $1.removed }
    same = groups.reduce(0) { $0 + $1.same }
    let expected = groups.filter { $0.added > 0 }.map(\.expectedBytes)
    expectedBytes = expected.contains(nil) ? nil : expected.reduce(0) { $0 + ($1 ?? 0) }
  }

  var text: String {
    var text = "\(added) new, \(removed) gone, \(same) as before"
    if added > 0 {
      text +=
        expectedBytes.map { "; the new ones take about \(ByteCountText.text($0))" } ?? "; sizes not known yet"
    }
    text += "\n"
    if let clients { text += "client: \(clients.now), before \(SafeText.escape(clients.before))\n" }
    for group in groups where group.isChanged {
      var parts: [String] = []
      if group.added > 0 {
        let bytes = group.expectedBytes.map { ", about \(ByteCountText.text($0))" } ?? ""
        parts.append("\(group.added) new\(bytes)")
      }
      if group.removed > 0 { parts.append("\(group.removed) gone") }
      let chain = "\(SafeText.escape(group.chain)) @\(NumberText.plain(group.scale))x"
      text += "    \(chain)  \(parts.joined(separator: ", "))\n"
    }
    return text
  }

  var line: String {
    let changed = groups.filter(\.isChanged).map { group in
      JSONObject([
        "chain": group.chain, "scale": group.scale, "added": group.added, "removed": group.removed,
        "same": group.same, "expectedBytes": group.expectedBytes,
      ])
    }
    return JSONObject([
      "v": 1, "type": "comparison", "added": added, "removed": removed, "same": same,
      "expectedBytes": expectedBytes, "client": clients?.now, "clientBefore": clients?.before,
      "chains": changed,
    ]).line
  }
}
