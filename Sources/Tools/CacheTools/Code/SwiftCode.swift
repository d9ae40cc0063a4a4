import CacheStore
import Planning
import Text

/// Swift for an app: the requests whose keys a job warms, so that app and job cannot drift apart unseen.
package struct SwiftCode: Sendable {
  private let plan: Plan
  private let client: any ClientCode

  package init(_ plan: Plan) {
    self.plan = plan
    client =
      switch plan.settings.client {
      case .nuke(let version): NukeCode(version: version)
      case .kingfisher(let version): KingfisherCode(version: version, style: plan.settings.kingfisher.style)
      }
  }

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
    let accessory = chains.contains { client.needsAccessory($0.chain) } ? "\n\(client.accessory)\n" : ""
    return "\(parts[0])\nenum Warmed {\n\(indented)\n}\n\(accessory)"
  }

  /// A chain with the sources that it is asked for.
  private struct Use {
    package var name: String
    package var label: String
    package var chain: Chain
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
    return uses
  }

  private func source(of row: Plan.Row) -> Source {
    let url = plan.sources[Int(row.source)].url
    let key = plan.baseKey(of: row)
    let ownKey = plan.layout.baseKey(url: url, options: .none, stripQuery: [])
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
    var modules = ["Foundation"] + client.imports
    if chains.contains(where: { client.needsUIKit($0.chain) }) { modules.append("UIKit") }
    return """
      // Made by preheat code of \(SwiftLiteral.comment(settings.path)): requests that its cache answers.
      // For \(settings.client), screen scale \(scales).

      \(modules.sorted().map { "import \($0)" }.joined(separator: "\n"))

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
      let id = source.id.map { ", id: \(SwiftLiteral.string($0))" } ?? ""
      return "  Source(\(SwiftLiteral.string(source.url))\(id)),"
    }
    return """
      // \(SwiftLiteral.comment(use.label))

      \(client.function(use.name, chain: use.chain, hasIDs: use.hasIDs))

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
          + "\(SwiftLiteral.string(rendition.source)), "
          + "\(NumberText.plain(rendition.scale)), \(SwiftLiteral.string(rendition.key)), "
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

/// How one client's requests are spelled.
protocol ClientCode: Sendable {
  var imports: [String] { get }
  /// A declaration that some chains need beside the functions.
  var accessory: String { get }
  func needsUIKit(_ chain: Chain) -> Bool
  func needsAccessory(_ chain: Chain) -> Bool
  func function(_ name: String, chain: Chain, hasIDs: Bool) -> String
}
