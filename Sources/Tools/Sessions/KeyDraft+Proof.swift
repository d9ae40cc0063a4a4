import ClientKit
import Concurrency
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
      let proofs = parts.concurrentMap { [self] in proof(of: $0, isAlone: parts.count == 1) }
      var wrong = proofs.flatMap(\.wrong)
      if let findings = proofs.lazy.compactMap(\.findings).first {
        wrong = self.wrong(after: proofs.flatMap(\.errors))
        if wrong.isEmpty { return findings }
      }
      refuse(wrong)
      if wrong.isEmpty {
        proved = proofs.first?.text
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

  /// An error of a plan, and which line or chain it is about.
  private struct Fault {
    var line: Int?
    var chain: Int32?
    var message: String
  }

  /// What the plan of a part of the lines says.
  private struct Proof: Sendable {
    /// Where there is no plan.
    var findings: Diagnostics?
    var errors: [Fault] = []
    var wrong: [Wrong] = []
    /// The part as a job, if it is the only one.
    var text: [UInt8]?
  }

  /// So many lines are not worth a part of their own; so many items are enough for one, as each has a plan.
  private static let (linesOfPart, itemsOfPart) = (2000, 50_000)

  /// What is planned together. Only lines whose keys begin alike can be in each other's way, and they are in one part;
  /// within a line each key stands once.
  private func parts() -> [Part] {
    let filled = lines.indices.filter { !lines[$0].items.isEmpty }
    let items = filled.reduce(0) { $0 + lines[$1].items.count }
    if items < Self.linesOfPart { return filled.isEmpty ? [] : [Part(lines: filled)] }
    var linesOfBase: [Int: Int] = [:]
    let isLong = filled.contains { lines[$0].items.count > Self.itemsOfPart }
    for line in isLong ? filled : [] { linesOfBase[lines[line].base, default: 0] += 1 }
    let shares = max(
      1,
      min(
        max(ProcessInfo.processInfo.activeProcessorCount, items / Self.itemsOfPart),
        filled.count / Self.linesOfPart))
    var parts = [Part](repeating: Part(lines: []), count: shares)
    for line in filled {
      let (base, count) = (lines[line].base, lines[line].items.count)
      if count > Self.itemsOfPart, linesOfBase[base] == 1 {
        for first in stride(from: 0, to: count, by: Self.itemsOfPart) {
          parts.append(Part(lines: [line], items: first..<min(first + Self.itemsOfPart, count)))
        }
      } else {
        parts[Int(base.magnitude % UInt(shares))].lines.append(line)
      }
    }
    return parts.filter { !$0.lines.isEmpty }
  }

  private func proof(of part: Part, isAlone: Bool) -> Proof {
    var given = GivenSettings()
    given.errorsKept = .max
    let written = written(part)
    let (plan, findings) = Plan.make(.text(name: "(job)", bytes: written.bytes), given)
    if let plan {
      return Proof(wrong: others(than: plan, part, written), text: isAlone ? written.bytes : nil)
    }
    let errors = findings.sorted.filter { $0.severity == .error }.map { error in
      Fault(
        line: written.line(at: error.line), chain: written.chain(at: error.line), message: error.message)
    }
    return Proof(findings: findings, errors: errors)
  }

  /// What the errors of plans are about.
  private func wrong(after errors: [Fault]) -> [Wrong] {
    var reasons: [Int32: String] = [:]
    for error in errors {
      guard let chain = error.chain, reasons[chain] == nil else { continue }
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
      for error in errors {
        guard let line = error.line, known.insert(line).inserted else { continue }
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
  private func others(than plan: Plan, _ part: Part, _ written: Written) -> [Wrong] {
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
        for item in items(line, in: part)
        where !(keys[Place(line: line, chain: item.chain)].map(item.has) ?? false) {
          wrong.append(Wrong(line: line, item: item, reason: reason))
        }
      }
    }
    for line in part.lines where !planned.contains(line) {
      wrong += items(line, in: part).map { Wrong(line: line, item: $0, reason: reason) }
    }
    return wrong
  }
}
