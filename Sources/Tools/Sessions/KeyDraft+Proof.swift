import ClientKit
import Concurrency
import Foundation
import JobFile
import Planning
import Syntax
import Text

extension KeyDraft {
  /// Plans the job as it stands, and takes out what does not come out with its keys, until all does. One planning finds
  /// all that is wrong with it, or as many would be needed as there are lines.
  ///
  /// - Returns: what is wrong with the settings themselves.
  mutating func prove() -> Diagnostics {
    lineOfSource = [:]
    while true {
      let parts = parts()
      // Without a line it would be no job.
      if parts.isEmpty { return Diagnostics() }
      let proofs = parts.concurrentMap { [self] in proof(of: $0) }
      // Errors come first, those of chains before all others: the order may not depend on how lines fall into parts.
      let failed = proofs.filter { $0.findings != nil }
      var wrong = (failed.isEmpty ? proofs : failed).flatMap(\.wrong)
      if wrong.contains(where: { $0.chain >= 0 }) { wrong.removeAll { $0.chain < 0 } }
      if wrong.isEmpty { return failed.first?.findings ?? Diagnostics() }
      refuse(wrong)
    }
  }

  /// An item of a job line whose plan is not as it should be.
  private struct Wrong {
    /// The chain that is wrong wherever it stands; else the line is.
    var chain: Int32 = -1
    var line: Int
    var item: Item
    var reason: String
  }

  /// What the plan of a part of the lines says.
  private struct Proof: Sendable {
    var wrong: [Wrong] = []
    /// Where there is no plan.
    var findings: Diagnostics?
  }

  /// Number of lines from which a part of its own pays, and of items that are enough for one, as each has a plan.
  private static let (linesOfPart, itemsOfPart) = (2000, 50_000)

  /// The lines that are planned together. Only those whose keys begin alike can be in each other's way, and they are in
  /// one part; within a line each key stands once.
  private func parts() -> [[Int]] {
    let filled = lines.indices.filter { !lines[$0].items.isEmpty }
    let items = filled.reduce(0) { $0 + lines[$1].items.count }
    let most = max(ProcessInfo.processInfo.activeProcessorCount, items / Self.itemsOfPart)
    let count = max(1, min(most, filled.count / Self.linesOfPart))
    var parts = [[Int]](repeating: [], count: count)
    for line in filled { parts[Int(lines[line].base.magnitude % UInt(count))].append(line) }
    return parts.filter { !$0.isEmpty }
  }

  private func proof(of part: [Int]) -> Proof {
    var given = GivenSettings()
    given.errorsKept = .max
    let written = written(part)
    let (plan, findings) = Plan.make(.text(name: "(job)", bytes: written.bytes), given)
    if let plan { return Proof(wrong: others(than: plan, part, written)) }
    var reasonsOfChains: [Int32: String] = [:]
    var reasonsOfLines: [Int: String] = [:]
    for error in findings.sorted where error.severity == .error {
      let (line, chain) = written[error.line]
      if chain >= 0 { reasonsOfChains[chain] = reasonsOfChains[chain] ?? error.message }
      if line >= 0 { reasonsOfLines[line] = reasonsOfLines[line] ?? error.message }
    }
    // A line may be wrong only because its chain is.
    let isOfChains = !reasonsOfChains.isEmpty
    let wrong = part.flatMap { line in
      lines[line].items.compactMap { item in
        (isOfChains ? reasonsOfChains[item.chain] : reasonsOfLines[line]).map {
          Wrong(chain: isOfChains ? item.chain : -1, line: line, item: item, reason: $0)
        }
      }
    }
    return Proof(wrong: wrong, findings: findings)
  }

  /// Takes items out of their lines. Their keys are refused in the order of chains, lines and keys.
  private mutating func refuse(_ wrong: [Wrong]) {
    var chainsOfLine: [Int: Set<Int32>] = [:]
    for one in wrong { chainsOfLine[one.line, default: []].insert(one.item.chain) }
    for (line, chains) in chainsOfLine {
      lines[line].items.removeAll { chains.contains($0.chain) }
      lines[line].places = [:]
    }
    let keys = wrong.flatMap { one in one.item.keys.map { (one.chain, one.line, $0, one.reason) } }
    for (_, _, key, reason) in keys.sorted(by: { ($0.0, $0.1, $0.2) < ($1.0, $1.1, $1.2) }) {
      refusals.append(.init(key: key, reason: reason))
    }
  }

  /// The items that have other keys in a plan. Keys are compared source by source, so that a plan's keys need not all be
  /// there at once.
  private func others(than plan: Plan, _ part: [Int], _ written: Written) -> [Wrong] {
    let rows = Dictionary(used(part).map { (chains[Int($0)].name, $0) }) { first, _ in first }
    let chainOfRow = plan.chains.rows.map { rows[$0.label] ?? Item.original }
    var left = Set(part)
    var wrong: [Wrong] = []
    func compare(_ line: Int, with keys: [Int32: Set<ByteText>]) {
      for item in lines[line].items where !(keys[item.chain].map(item.has) ?? false) {
        wrong.append(
          Wrong(line: line, item: item, reason: "the job line made from it would have another key"))
      }
    }
    for source in plan.sources.indices {
      var keys: [Int: [Int32: Set<ByteText>]] = [:]
      for row in plan.rows(ofSource: source) {
        let line = written[Int(row.line)].line
        if line < 0 { continue }
        let chain = chainOfRow[plan.variants[Int(row.variant)].chain]
        keys[line, default: [:]][chain, default: []].insert(ByteText(plan.key(of: row)))
      }
      for (line, keys) in keys where left.remove(line) != nil { compare(line, with: keys) }
    }
    for line in left { compare(line, with: [:]) }
    return wrong
  }

  /// Takes the chains of which nothing is drawn out of the lines.
  ///
  /// - Returns: them with their lines, as comments, and how many keys they make.
  mutating func setAside() -> (text: String, keys: Int) {
    let chains = chains
    let isUndrawn = { (item: Item) in item.chain >= 0 && !chains[Int(item.chain)].isDrawn }
    var (text, keys) = ("", 0)
    for chain in chains where !chain.isDrawn { text += "# chain \(chain.name) = \(chain.text)\n" }
    for index in lines.indices {
      let undrawn = lines[index].items.filter(isUndrawn)
      if undrawn.isEmpty { continue }
      lines[index].items.removeAll(where: isUndrawn)
      keys += undrawn.reduce(0) { $0 + $1.keys.count }
      text += "# \(self.text(of: lines[index], undrawn[...], \.name))\n"
    }
    let note =
      "\n# \(NumberText.count(keys, "key")) with processors of the app's own, of which nothing is drawn. To warm them, "
      + "give each chain a drawing with 'as'\n# and take its marks away.\n"
    return keys == 0 ? ("", 0) : (note + text, keys)
  }
}
