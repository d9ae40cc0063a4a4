import CacheStore
import ClientKit
import Planning
import Text

/// Swift for an app: the requests whose keys a job warms, so that app and job cannot drift apart unseen.
package struct SwiftCode: Sendable {
  private let plan: Plan
  private let showsSecrets: Bool

  /// - Parameter showsSecrets: writes URLs with the credentials that they hold; an app that is to load them needs these.
  package init(_ plan: Plan, showsSecrets: Bool = false) {
    self.plan = plan
    self.showsSecrets = showsSecrets
  }

  private func shown(_ url: String) -> String { showsSecrets ? url : URLRedaction.withoutCredentials(url) }

  /// - Parameter withKeys: also a list of keys, file names and digests for the app's unit test. A digest is known once
  ///   the job has run.
  package func text(withKeys: Bool) -> String {
    let chains = chainsInUse()
    var parts = [head(chains), source]
    for chain in chains { parts.append(declarations(chain)) }
    if withKeys { parts.append(keys(chains)) }
    let body = parts.dropFirst().joined(separator: "\n\n").split(
      separator: "\n", omittingEmptySubsequences: false)
    let indented = body.map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n")
    var accessories: [String] = []
    for accessory in chains.compactMap(\.code.accessory) where !accessories.contains(accessory) {
      accessories.append(accessory)
    }
    return "\(parts[0])\nenum Warmed {\n\(indented)\n}\n" + accessories.map { "\n\($0)\n" }.joined()
  }

  /// A chain with the sources that it is asked for.
  private struct Use {
    package var name: String
    package var label: String
    var chain: Chain
    /// The request in the client's words.
    var code = RequestCode(text: "", imports: [])
    package var sources: [Source] = []

    var hasIDs: Bool { sources.contains { $0.id != nil } }
  }

  private struct Source: Hashable {
    package var url: String
    /// What the app gives as image ID or cache key.
    package var id: String?
  }

  private func chainsInUse() -> [Use] {
    var uses: [Use] = []
    var positions: [Int: Int] = [:]
    var names: Set<String> = []
    var seen: [Set<Source>] = []
    for row in plan.rows {
      let index = plan.variants[Int(row.variant)].chain
      let position = positions[index] ?? uses.count
      if position == uses.count {
        positions[index] = position
        let chain = plan.chains[index]
        uses.append(
          Use(name: Self.unique(chain.label, &names), label: chain.label, chain: chain.chain))
        seen.append([])
      }
      let source = source(of: row)
      // Other scales are the same request on other devices.
      if seen[position].insert(source).inserted { uses[position].sources.append(source) }
    }
    for index in uses.indices {
      let use = uses[index]
      uses[index].code = plan.client.code(
        named: use.name, chain: use.chain, scales: plan.settings.scales, hasIDs: use.hasIDs)
    }
    return uses
  }

  private func source(of row: Plan.Row) -> Source {
    let url = plan.sources[Int(row.source)].url
    let key = plan.baseKey(of: row)
    let ownKey = plan.client.baseKey(url: url, options: .none, stripQuery: [])
    return Source(url: url, id: key == ownKey ? nil : key)
  }

  private static func unique(_ label: String, _ names: inout Set<String>) -> String {
    let base = SwiftLiteral.identifier(label)
    var name = base
    var number = 2
    while !names.insert(name).inserted {
      name = "\(base)\(number)"
      number += 1
    }
    return name
  }

  private func head(_ chains: [Use]) -> String {
    let settings = plan.settings
    let scales = settings.scales.map(NumberText.plain).joined(separator: ", ")
    let masked = plan.sources.count { shown($0.url) != $0.url }
    // A compiler says it, too: with such a URL the app asks for another key.
    let warning =
      masked == 0
      ? ""
      : "#warning(\"\(NumberText.count(masked, "URL")) with credentials, masked with *: preheat code --show-secrets\")\n\n"
    let modules = Set(["Foundation"] + chains.flatMap(\.code.imports))
    return """
      // Made by preheat code of \(SwiftLiteral.comment(settings.path)): requests that its cache answers.
      // For \(settings.client), screen scale \(scales).

      \(modules.sorted().map { "import \($0)" }.joined(separator: "\n"))

      \(warning)
      """
  }

  private let source = """
    struct Source: Sendable {
      let url: String
      /// In place of the URL in the key.
      let id: String?

      init(_ url: String, id: String? = nil) {
        self.url = url
        self.id = id
      }
    }
    """

  private func declarations(_ use: Use) -> String {
    let rows = use.sources.map { source in
      let id = source.id.map { ", id: \(SwiftLiteral.string(shown($0)))" } ?? ""
      return "  Source(\(SwiftLiteral.string(shown(source.url)))\(id)),"
    }
    return """
      // \(SwiftLiteral.comment(use.label))

      \(use.code.text)

      static let \(use.name)Sources: [Source] = [
      \(rows.joined(separator: "\n"))
      ]
      """
  }

  private func keys(_ chains: [Use]) -> String {
    // Before the first run there is no cache, and so no digest.
    let ledger = (try? CacheListing(plan.settings.cache))?.ledger ?? [:]
    let names = Dictionary(chains.map { ($0.label, $0.name) }) { first, _ in first }
    var rows: [String] = []
    for rendition in plan.renditions {
      guard let file = rendition.fileName else { continue }
      rows.append(
        "  (\(SwiftLiteral.string(names[rendition.chain] ?? rendition.chain)), "
          + "\(SwiftLiteral.string(shown(rendition.source))), "
          + "\(NumberText.plain(rendition.scale)), \(SwiftLiteral.string(rendition.key { shown($0) })), "
          + "\(SwiftLiteral.string(file)), \(SwiftLiteral.optional(ledger[file]?.digest))),")
    }
    return """
      /// What a test of the app compares its own keys with. `sha256` is that of the file, nil where it is not made yet.
      static let keys:
        [(chain: String, url: String, scale: Double, key: String, file: String, sha256: String?)] = [
      \(rows.map { "  " + $0 }.joined(separator: "\n"))
        ]
      """
  }
}
