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

  /// - Parameter withKeys: also a list of keys, file names and digests for the app's unit test. A digest is known once
  ///   the job has run.
  package func text(withKeys: Bool) -> String {
    let requests = WarmedRequests(plan, showsSecrets: showsSecrets)
    let uses = requests.uses()
    let names = WarmedRequests.names(of: uses, SwiftLiteral.identifier)
    let codes = zip(uses, names).map { use, name in
      plan.client.code(named: name, chain: use.chain, scales: plan.settings.scales, hasIDs: use.hasIDs)
    }
    var parts = [source]
    for (index, use) in uses.enumerated() {
      parts.append(declarations(use, names[index], codes[index].text, requests))
    }
    if withKeys { parts.append(keys(requests, uses, names)) }
    let body = parts.joined(separator: "\n\n").split(separator: "\n", omittingEmptySubsequences: false)
    let indented = body.map { $0.isEmpty ? "" : "  \($0)" }.joined(separator: "\n")
    var accessories: [String] = []
    for accessory in codes.compactMap(\.accessory) where !accessories.contains(accessory) {
      accessories.append(accessory)
    }
    return "\(head(requests, codes))\nenum Warmed {\n\(indented)\n}\n"
      + accessories.map { "\n\($0)\n" }.joined()
  }

  private func head(_ requests: WarmedRequests, _ codes: [RequestCode]) -> String {
    let masked = requests.maskedCount
    // A compiler says it, too: with such a URL the app asks for another key.
    let warning =
      masked == 0
      ? ""
      : "#warning(\"\(NumberText.count(masked, "URL")) with credentials, masked with *: preheat code --show-secrets\")\n\n"
    let modules = Set(["Foundation"] + codes.flatMap(\.imports))
    return """
      \(requests.title.map { "// " + $0 }.joined(separator: "\n"))

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

  private func declarations(
    _ use: WarmedRequests.Use, _ name: String, _ code: String, _ requests: WarmedRequests
  ) -> String {
    let rows = use.sources.map { source in
      let id = source.id.map { ", id: \(SwiftLiteral.string(requests.shown($0)))" } ?? ""
      return "  Source(\(SwiftLiteral.string(requests.shown(source.url)))\(id)),"
    }
    return """
      // \(SwiftLiteral.comment(use.label))

      \(code)

      static let \(name)Sources: [Source] = [
      \(rows.joined(separator: "\n"))
      ]
      """
  }

  private func keys(_ requests: WarmedRequests, _ uses: [WarmedRequests.Use], _ names: [String]) -> String {
    let names = Dictionary(zip(uses.map(\.label), names)) { first, _ in first }
    let rows = requests.keys().map { key in
      "  (\(SwiftLiteral.string(names[key.label] ?? key.label)), \(SwiftLiteral.string(key.url)), "
        + "\(NumberText.plain(key.scale)), \(SwiftLiteral.string(key.key)), "
        + "\(SwiftLiteral.string(key.file)), \(SwiftLiteral.optional(key.digest))),"
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
