import ClientKit
import JobFile
import Pictures

/// A form of one of the job's chains.
package struct ChainVariant: Sendable, Hashable {
  /// Row of the plan's chains.
  package var chain: Int
  package var form: ChainForm
  /// How it is encoded, where its chain says that itself.
  package var encoding: EncodingChoice?
  /// Of the plan's clients: 0 is the job's own.
  package var client = 0
}

/// The variants of a plan's chains while it is made.
struct VariantTable {
  private var ofChain: [[Int]] = []
  private var others: [Other: [Int]] = [:]
  private var clients: [[String: String]: Int] = [:]

  /// A chain of a line with settings of its own, or of a picture that has its scale in its key.
  private struct Other: Hashable {
    var chain: Int
    var client: Int
    var scale: Double?
  }

  /// Makes those of chains that are new.
  mutating func resolve(_ chains: ChainTable, in plan: inout Plan) {
    plan.chains.takeRows(of: chains)
    while ofChain.count < chains.rows.count {
      ofChain.append(Self.add(Other(chain: ofChain.count, client: 0), to: &plan))
    }
  }

  /// - Parameters:
  ///   - settings: those of the line's own.
  ///   - scale: nil for those of the job.
  mutating func numbers(
    of chain: Int, _ settings: [String: String], scale: Double?, in plan: inout Plan
  ) -> [Int] {
    if settings.isEmpty, scale == nil { return ofChain[chain] }
    let other = Other(chain: chain, client: client(settings, in: &plan), scale: scale)
    if let known = others[other] { return known }
    let added = Self.add(other, to: &plan)
    others[other] = added
    return added
  }

  private static func add(_ other: Other, to plan: inout Plan) -> [Int] {
    let (row, first) = (plan.chains[other.chain], plan.variants.count)
    let client = other.client == 0 ? plan.client : plan.otherClients[other.client - 1]
    let forms = client.forms(of: row.chain, scales: other.scale.map { [$0] } ?? plan.settings.scales)
    plan.variants += forms.map { form in
      ChainVariant(chain: other.chain, form: form, encoding: row.encoding, client: other.client)
    }
    return Array(first..<plan.variants.count)
  }

  /// The number of the client that settings make; 0 for the job's own.
  private mutating func client(_ settings: [String: String], in plan: inout Plan) -> Int {
    if settings.isEmpty { return 0 }
    if let known = clients[settings] { return known }
    guard let made = plan.settings.makeClient(settings) else { return 0 }
    plan.otherClients.append(made)
    clients[settings] = plan.otherClients.count
    return plan.otherClients.count
  }
}
