import CacheStore
import ClientKit
import JobFile
import Planning
import Text

/// The requests that a job warms, for app code: chains with their sources.
package struct WarmedRequests {
  let plan: Plan
  private let ledger: LedgerRows?
  private let showsSecrets: Bool
  /// Sources of a chain that are listed.
  private let most: Int

  /// A chain with the sources that it is asked for.
  struct Use {
    var label: String
    var chain: Chain
    var client: any ImageClient
    var kind: Kind
    var sources: [Source] = []
  }

  /// What is one request for all its sources: the plan's number of chain and client, and what it reads and writes.
  struct Kind: Hashable {
    var number: Int
    var options: RequestOptions
  }

  struct Source: Hashable {
    var url: String
    /// The app's image ID or cache key.
    private let own: ByteText?

    var id: String? { own?.text }

    init(url: String, id: String?) { (self.url, own) = (url, id.map { ByteText($0) }) }
  }

  /// A row of the table that an app's test compares its keys with.
  struct Key {
    /// Of the chain in the code.
    var name: String
    var url: String
    var scale: Double
    var key: String
    var file: String
    /// Of the file; nil where it is not made yet.
    var digest: String?
  }

  /// - Parameters:
  ///   - ledger: of the plan's cache, for the digests of files.
  ///   - showsSecrets: writes URLs with the credentials that they hold; an app that is to load them needs these.
  ///   - most: how many sources of a chain are listed, and their keys.
  package init(_ plan: Plan, ledger: LedgerRows? = nil, showsSecrets: Bool = false, most: Int = .max) {
    self.plan = plan
    self.ledger = ledger
    self.showsSecrets = showsSecrets
    self.most = most
  }

  func listed(_ use: Use) -> ArraySlice<Source> { use.sources.prefix(most) }

  /// A line above a list, without a comment's sign; nil for a list of all.
  func note(_ use: Use) -> String? {
    use.sources.count <= most
      ? nil : "The first \(most) of \(NumberText.grouped(use.sources.count)); --all lists all of them."
  }

  func coded(_ use: Use, _ name: String) -> CodedRequest {
    // No scales where the job leaves them to keys and devices.
    (
      name, use.chain, plan.settings.values.given(JobKey.scale) ?? [], use.sources.contains { $0.id != nil },
      use.kind.options
    )
  }

  func shown(_ url: String) -> String { showsSecrets ? url : URLRedaction.withoutCredentials(url) }

  /// What the client puts behind the URL or the app's own ID stands in the code as it is, and so in the key.
  private func key(of rendition: PlannedRendition, _ row: Plan.Row) -> String {
    let (key, base) = (rendition.key, plan.baseKey(of: row))
    return key.utf8.starts(with: base.utf8) ? shown(base) + key[base.endIndex...] : shown(key)
  }

  /// Listed URLs that ``shown(_:)`` changes.
  private var maskedCount: Int {
    Set(uses().flatMap { listed($0).map(\.url) }).count { shown($0) != $0 }
  }

  /// Two lines for the head of a file, without a comment's sign.
  private var title: [String] {
    let scales = plan.settings.scales.map(NumberText.plain).joined(separator: ", ")
    let client = plan.settings.origin.note(plan.settings.client) ?? "\(plan.settings.client)"
    return [
      "Made by preheat code of \(SwiftLiteral.comment(plan.settings.path)): requests that its cache answers.",
      "For \(SwiftLiteral.comment(client)), screen scale \(scales).",
    ]
  }

  /// What a file begins with. A compiler repeats the warning: with a masked URL the app asks for another key.
  ///
  /// - Parameters:
  ///   - module: imported in any case.
  ///   - importing: the line that imports a module.
  ///   - warning: the line that warns of something.
  func head(
    _ codes: [RequestCode], _ module: String, importing: (String) -> String, warning: (String) -> String
  ) -> String {
    let modules = Set([module] + codes.flatMap(\.imports)).sorted()
    var parts = [title.map { "// " + $0 }, modules.map(importing)].map { $0.joined(separator: "\n") }
    let masked = maskedCount
    if masked > 0 {
      let urls = NumberText.count(masked, "URL")
      parts.append(warning("\(urls) with credentials, masked with *: preheat code --show-secrets"))
    }
    return parts.joined(separator: "\n\n")
  }

  /// What several requests need, once.
  static func accessories(of codes: [RequestCode]) -> [String] {
    codes.flatMap(\.accessories).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Chains in the order in which the job first asks for them.
  func uses() -> [Use] {
    var uses: [Use] = []
    var positions: [Kind: Int] = [:]
    var seen: [Set<Source>] = []
    for row in plan.rows {
      let (index, kind) = (plan.variants[Int(row.variant)].chain, kind(of: row))
      let position = positions[kind] ?? uses.count
      if position == uses.count {
        positions[kind] = position
        let chain = plan.chains[index]
        uses.append(Use(label: chain.label, chain: chain.chain, client: plan.client(of: row), kind: kind))
        seen.append([])
      }
      let source = source(of: row)
      // Other scales are the same request on other devices.
      if seen[position].insert(source).inserted { uses[position].sources.append(source) }
    }
    return uses
  }

  private func kind(of row: Plan.Row) -> Kind {
    var options = RequestOptions.none.reading(as: plan.options[Int(row.options)])
    options.noDiskWrite = plan.options[Int(row.options)].noDiskWrite
    return Kind(number: plan.requestKind(of: row), options: options)
  }

  private func source(of row: Plan.Row) -> Source {
    let url = plan.sources[Int(row.source)].url
    let key = plan.baseKey(of: row)
    let ownKey = plan.client.baseKey(url: url, options: .none, stripQuery: [])
    return Source(url: url, id: key.hasBytes(of: ownKey) ? nil : key)
  }

  /// A name for each chain, made of its label by `name`, unlike all others.
  static func names(of uses: [Use], _ name: (String) -> String) -> [String] {
    var taken: Set<String> = []
    return uses.map { use in
      let base = name(use.label)
      var unique = base
      var number = 2
      while !taken.insert(unique).inserted {
        unique = "\(base)\(number)"
        number += 1
      }
      return unique
    }
  }

  /// One for each rendition that has a file. A digest is known once the job has run.
  ///
  /// - Parameter names: of the uses in the code.
  func keys(_ uses: [Use], _ names: [String]) -> [Key] {
    let places = Dictionary(uniqueKeysWithValues: zip(uses.map(\.kind), uses.indices))
    let listed = uses.map { use in Set(self.listed(use).map(\.url)) }
    return plan.rows.compactMap { row in
      let rendition = plan.rendition(at: row)
      guard let place = places[kind(of: row)], listed[place].contains(rendition.source) else {
        return nil
      }
      return rendition.fileName.map { file in
        Key(
          name: names[place], url: shown(rendition.source),
          scale: rendition.scale, key: key(of: rendition, row), file: file, digest: ledger?[file]?.digest)
      }
    }
  }
}
