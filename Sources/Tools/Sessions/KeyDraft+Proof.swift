import ClientKit
import Concurrency
import Dispatch
import Foundation
import JobFile
import Planning
import Syntax
import Text

extension KeyDraft {
  /// Plans the job as it stands, and takes out what does not come out with its keys, until all does. One planning tells
  /// all that is wrong with it, or as many would be needed as there are lines.
  ///
  /// - Returns: what is wrong with the settings themselves.
  mutating func prove() -> Diagnostics {
    close()
    // Without a line it would be no job.
    while true {
      let parts = parts()
      if parts.isEmpty { return Diagnostics() }
      let proofs = proofs(of: parts)
      var wrong = proofs.flatMap(\.wrong)
      if let findings = proofs.lazy.compactMap(\.findings).first {
        wrong = errors(proofs)
        if wrong.isEmpty { return findings }
      }
      refuse(wrong)
      if wrong.isEmpty {
        if parts.count == 1 { proved = proofs.first?.written.bytes }
        return Diagnostics()
      }
    }
  }

  /// A line of a job whose plan is not as it should be.
  private struct Wrong {
    /// The chain that is wrong wherever it stands; of all others the line says enough.
    var chain: Int32 = -1
    var line: Int
    var item: Item
    var reason: String
  }

  /// What the plan of a part of the lines says.
  private struct Proof: Sendable {
    var written: Written
    /// Where there is no plan.
    var findings: Diagnostics?
    var wrong: [Wrong] = []
  }

  /// So many lines are not worth a part of their own.
  private static let linesOfPart = 2000

  /// Lines that are planned at the same time. Only those whose keys begin alike can be in each other's way, and they are
  /// in one part.
  private func parts() -> [[Int]] {
    let filled = lines.indices.filter { !lines[$0].items.isEmpty }
    let count = min(ProcessInfo.processInfo.activeProcessorCount, filled.count / Self.linesOfPart)
    if count < 2 { return filled.isEmpty ? [] : [filled] }
    var parts = [[Int]](repeating: [], count: count)
    for line in filled { parts[Int(lines[line].base.magnitude % UInt(count))].append(line) }
    return parts.filter { !$0.isEmpty }
  }

  private func proofs(of parts: [[Int]]) -> [Proof] {
    let found = Locked([Proof?](repeating: nil, count: parts.count))
    DispatchQueue.concurrentPerform(iterations: parts.count) { index in
      let proof = self.proof(of: parts[index])
      found.withLock { $0[index] = proof }
    }
    return found.withLock { $0 }.compactMap { $0 }
  }

  private func proof(of part: [Int]) -> Proof {
    var given = GivenSettings()
    given.errorsKept = .max
    let written = written(part)
    let (plan, findings) = Plan.make(.text(name: "(job)", bytes: written.bytes), given)
    guard let plan else { return Proof(written: written, findings: findings) }
    return Proof(written: written, wrong: others(than: plan, part, written))
  }

  /// What the errors of plans are about.
  private func errors(_ proofs: [Proof]) -> [Wrong] {
    let errors = proofs.flatMap { proof in
      (proof.findings?.sorted ?? []).filter { $0.severity == .error }.map { (proof.written, $0) }
    }
    var reasons: [Int32: String] = [:]
    for (written, error) in errors {
      guard let chain = written.chain(at: error.line), reasons[chain] == nil else { continue }
      reasons[chain] = error.message
    }
    var wrong: [Wrong] = []
    for line in reasons.isEmpty ? [] : Array(lines.indices) {
      for item in lines[line].items {
        guard let reason = reasons[item.chain] else { continue }
        wrong.append(Wrong(chain: item.chain, line: line, item: item, reason: reason))
      }
    }
    // A line may be wrong only because its chain is.
    if wrong.isEmpty {
      var known: Set<Int> = []
      for (written, error) in errors {
        guard let line = written.line(at: error.line), known.insert(line).inserted else { continue }
        wrong += lines[line].items.map { Wrong(line: line, item: $0, reason: error.message) }
      }
    }
    return wrong
  }

  /// Takes items out of their lines. What is wrong with a line is told in the order of its keys.
  private mutating func refuse(_ wrong: [Wrong]) {
    let wrong = wrong.sorted { ($0.chain, $0.line) < ($1.chain, $1.line) }
    var chainsOfLine: [Int: Set<Int32>] = [:]
    for one in wrong { chainsOfLine[one.line, default: []].insert(one.item.chain) }
    for (line, chains) in chainsOfLine {
      lines[line].items.removeAll { chains.contains($0.chain) }
      lines[line].places = [:]
    }
    var rest = wrong[...]
    while let first = rest.first {
      let group = rest.prefix { $0.line == first.line && $0.chain == first.chain }
      for key in group.flatMap(\.item.keys).sorted() { refuse(.init(key: key, reason: first.reason)) }
      rest = rest.dropFirst(group.count)
    }
  }

  /// The items that have other keys in a plan. Keys are compared source by source, so that a plan's keys need not all be
  /// there at once.
  private func others(than plan: Plan, _ part: [Int], _ written: Written) -> [Wrong] {
    struct Place: Hashable {
      var line: Int
      var chain: Int32
    }
    let rows = Dictionary(used(part).map { (chains[Int($0)].name, $0) }) { first, _ in first }
    let chainOfRow = plan.chains.rows.map { rows[$0.label] ?? Item.original }
    var planned: Set<Int> = []
    var wrong: [Wrong] = []
    let reason = "the job line made from it would have another key"
    for source in plan.sources.indices {
      var keys: [Place: Set<ByteText>] = [:]
      var found: [Int] = []
      for row in plan.rows(ofSource: source) {
        guard let line = written.line(at: Int(row.line)) else { continue }
        let chain = chainOfRow[plan.variants[Int(row.variant)].chain]
        keys[Place(line: line, chain: chain), default: []].insert(ByteText(plan.key(of: row)))
        if planned.insert(line).inserted { found.append(line) }
      }
      for line in found {
        for item in lines[line].items
        where !(keys[Place(line: line, chain: item.chain)].map(item.has) ?? false) {
          wrong.append(Wrong(line: line, item: item, reason: reason))
        }
      }
    }
    for line in part where !planned.contains(line) {
      wrong += lines[line].items.map { Wrong(line: line, item: $0, reason: reason) }
    }
    return wrong
  }
}
