import CacheTools
import Syntax
import Text

/// The output of `plan --compare`: changes by chain.
struct PlanChanges {
  private let groups: [PlanComparison.Group]
  /// Clients and releases, where they are others than before.
  private let clients: (before: String, now: String)?

  init(_ comparison: PlanComparison) {
    groups = comparison.groups
    let (before, now) = comparison.clients
    clients =
      before.isEmpty || now.isEmpty || before == now
      ? nil : (before.sorted().joined(separator: ", "), now.sorted().joined(separator: ", "))
  }

  private var added: Int { groups.reduce(0) { $0 + $1.added } }
  private var removed: Int { groups.reduce(0) { $0 + $1.removed } }
  private var same: Int { groups.reduce(0) { $0 + $1.same } }
  var text: String {
    var text = "\(added) new, \(removed) gone, \(same) as before\n"
    if let clients { text += "client: \(clients.now), before \(SafeText.escape(clients.before))\n" }
    for group in changed {
      let counts = [(group.added, "new"), (group.removed, "gone")].filter { $0.0 > 0 }
      let scale = group.chain == "original" ? "" : " @\(NumberText.plain(group.scale))x"
      text += "    \(SafeText.escape(group.chain))\(scale)  "
      text += counts.map { "\($0) \($1)" }.joined(separator: ", ") + "\n"
    }
    return text
  }

  private var changed: [PlanComparison.Group] { groups.filter(\.isChanged) }
}

extension PlanChanges: JSONRecord {
  static let json = JSONMembers<Self>(
    type: "comparison", ("added", \.added), ("removed", \.removed), ("same", \.same),
    ("client", \.clients?.now),
    ("clientBefore", \.clients?.before), ("chains", \.changed))
}

extension PlanComparison.Group: JSONRecord {
  package static let json = JSONMembers<Self>(
    ("chain", \.chain), ("scale", \.scale), ("added", \.added), ("removed", \.removed), ("same", \.same))
}
