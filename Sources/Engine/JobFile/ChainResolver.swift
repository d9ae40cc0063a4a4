import ClientKit
import Pictures
import Syntax
import Text

/// Turns chains as written into chains, and knows those that have a name.
struct ChainResolver: Sendable {
  /// More drawing steps than any app has; chains of chains could otherwise grow without end.
  static let mostProcessors = 64
  private static let deepest = 32

  private struct Definition: Sendable {
    var line: TextLine
    var nameOffset: Int
    var syntax: ChainSyntax
    /// `encode=` behind its processors.
    var encoding: EncodingChoice?
    var state = State.open
    var isUsed = false
  }

  private enum State: Sendable {
    case open, busy
    case done(Chain?)
  }

  /// A chain as requests with settings of their own have it.
  private struct Judged: Hashable, Sendable {
    var row: Int
    var settings: [String: String]
  }

  /// Known once all settings are read.
  var dialect: ChainDialect?
  private var definitions: [ByteText: Definition] = [:]
  private var order: [String] = []
  /// Of chains in job lines, each said once.
  private var lints: [(lint: Mistake, line: TextLine)] = []
  private var knownLints: Set<String> = []
  private var judged: Set<Judged> = []

  private subscript(name: String) -> Definition? {
    get { definitions[ByteText(name)] }
    set { definitions[ByteText(name)] = newValue }
  }

  func line(of name: String) -> Int? { self[name]?.line.number }

  mutating func define(
    _ name: String, at offset: Int, as syntax: ChainSyntax, encoding: EncodingChoice?, in line: TextLine
  ) {
    self[name] = Definition(
      line: line.copied(), nameOffset: offset, syntax: syntax, encoding: encoding)
    order.append(name)
  }

  /// Resolves every definition; those that are right get their row, in the order written.
  mutating func resolveAll(into table: inout ChainTable, _ diagnostics: inout Diagnostics) {
    for name in order {
      if let definition = self[name], dialect?.names.contains(name) == true {
        diagnostics.add([.reserved(name, at: definition.nameOffset)], in: definition.line)
      }
      if let chain = resolve(name, depth: 0, &diagnostics) {
        _ = table.intern(chain, label: name, encoding: self[name]?.encoding)
      }
    }
  }

  /// The row of a chain in a job line, nil when something is wrong with it.
  ///
  /// - Parameter settings: those that the line has for itself.
  mutating func index(
    of syntax: ChainSyntax, in line: TextLine, table: inout ChainTable,
    with settings: [String: String] = [:], _ mistakes: inout [Mistake]
  ) -> Int? {
    var lints: [Mistake] = []
    var row = knownRow(of: syntax, table)
    if row == nil {
      var nested = Diagnostics()
      row = chain(syntax, depth: 0, &mistakes, &nested, &lints, isUse: true).map {
        table.intern($0, label: line.text(syntax.range))
      }
    }
    guard let row else { return nil }
    if judged.insert(Judged(row: row, settings: settings)).inserted,
      let lint = dialect?.judge(of: settings)?.lint(.chain(table[row].chain), at: syntax.range.lowerBound)
    {
      lints.append(lint)
    }
    note(lints, in: line)
    return row
  }

  /// A name that was used before: what nearly every line of a long job has.
  private func knownRow(of syntax: ChainSyntax, _ table: ChainTable) -> Int? {
    guard syntax.members.count == 1, syntax.members[0].arguments == nil, syntax.members[0].identifier == nil,
      self[syntax.members[0].name]?.isUsed == true
    else { return nil }
    return table.index(ofLabel: syntax.members[0].name)
  }

  /// A job may repeat a chain in a million lines.
  mutating func note(_ lints: [Mistake], in line: TextLine) {
    for lint in lints where knownLints.count < Diagnostics.limit {
      if knownLints.insert(lint.message).inserted { self.lints.append((lint, line.copied())) }
    }
  }

  /// Warns of what deserves it in chains of job lines, and of names that no line uses.
  ///
  /// - Parameter isPart: the lines are those of a part of the job; others may use the names.
  func reportFindings(_ diagnostics: inout Diagnostics, isPart: Bool) {
    for (lint, line) in lints { diagnostics.add(.warning, lint, in: line) }
    for name in order where !isPart {
      guard let definition = self[name], !definition.isUsed, case .done(.some) = definition.state
      else { continue }
      let mistake = Mistake(
        definition.nameOffset, "the chain \(Mistake.quote(name)) is never used",
        help: "name it in a job line, or take it out")
      diagnostics.add(.warning, mistake, in: definition.line)
    }
  }

  private mutating func resolve(
    _ name: String, depth: Int, _ diagnostics: inout Diagnostics
  ) -> Chain? {
    guard let definition = self[name] else { return nil }
    if case .done(let chain) = definition.state { return chain }
    self[name]?.state = .busy
    var mistakes: [Mistake] = []
    var lints: [Mistake] = []
    let chain = chain(definition.syntax, depth: depth, &mistakes, &diagnostics, &lints, isUse: false)
    diagnostics.add(mistakes, in: definition.line)
    for lint in lints { diagnostics.add(.warning, lint, in: definition.line) }
    self[name]?.state = .done(chain)
    return chain
  }

  private mutating func chain(
    _ syntax: ChainSyntax, depth: Int, _ mistakes: inout [Mistake], _ diagnostics: inout Diagnostics,
    _ lints: inout [Mistake], isUse: Bool
  ) -> Chain? {
    guard let dialect else { return nil }
    let before = mistakes.count
    var chain = Chain.original
    var isWhole = true
    for (index, member) in syntax.members.enumerated() {
      if member.name == "original" {
        if syntax.members.count == 1, member.arguments == nil {
          return member.identifier.map { Chain([.original(as: $0.text)]) } ?? chain
        }
        mistakes.append(.notAlone(at: member.offset))
      } else if dialect.names.contains(member.name) {
        if let part = dialect.client.member(member, &mistakes, &lints) {
          if let lint = dialect.lint(ofDrawing: part, as: member) { lints.append(lint) }
          if let lint = dialect.lint(ofRounding: part, as: member) { lints.append(lint) }
          dialect.join(Chain([part]), calledAs: member, to: &chain, isFirst: index == 0, &mistakes)
        }
      } else if self[member.name] != nil {
        if isUse { markUsed(member.name, depth: depth) }
        guard let part = named(member, depth: depth, &mistakes, &diagnostics) else {
          isWhole = false
          continue
        }
        dialect.join(part, calledAs: member, to: &chain, isFirst: index == 0, &mistakes)
      } else {
        mistakes.append(dialect.unknown(member, chains: order))
      }
      if chain.calls.count > Self.mostProcessors {
        mistakes.append(Mistake(member.offset, "a chain has at most \(Self.mostProcessors) processors"))
        return nil
      }
    }
    guard isWhole, mistakes.count == before else { return nil }
    if let reason = dialect.judge?.unsupportedReason(chain) {
      mistakes.append(Mistake(syntax.range.lowerBound, reason))
      return nil
    }
    return chain
  }

  /// A chain called by its name, as a member of another or alone.
  private mutating func named(
    _ member: ChainSyntax.Member, depth: Int, _ mistakes: inout [Mistake],
    _ diagnostics: inout Diagnostics
  ) -> Chain? {
    let quote = Mistake.quote(member.name)
    if member.arguments != nil {
      mistakes.append(Mistake(member.offset, "\(quote) is a chain of this job and takes no arguments"))
    }
    member.refuseIdentifier(&mistakes)
    if case .busy = self[member.name]?.state {
      mistakes.append(Mistake(member.offset, "the chain \(quote) contains itself"))
      return nil
    }
    if depth >= Self.deepest {
      mistakes.append(Mistake(member.offset, "chains of chains are nested too deeply here"))
      return nil
    }
    return resolve(member.name, depth: depth + 1, &diagnostics)
  }

  private mutating func markUsed(_ name: String, depth: Int) {
    guard depth <= Self.deepest, let definition = self[name], !definition.isUsed else { return }
    self[name]?.isUsed = true
    for member in definition.syntax.members { markUsed(member.name, depth: depth + 1) }
  }
}

extension Mistake {
  static func notAlone(at offset: Int) -> Mistake {
    Mistake(offset, "'original' stands alone: it means no processing")
  }

  /// A chain has the name of something else.
  static func reserved(_ name: String, at offset: Int) -> Mistake {
    Mistake(offset, "\(quote(name)) cannot name a chain: it is a word of the job file")
  }
}
