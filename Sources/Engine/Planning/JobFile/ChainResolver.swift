/// Turns chains as written into chains, and knows those that have a name.
struct ChainResolver: Sendable {
  /// More drawing steps than any app has; chains of chains could otherwise grow without end.
  static let mostProcessors = 64
  private static let deepest = 32

  private struct Definition: Sendable {
    package var line: TextLine
    var nameOffset: Int
    package var syntax: ChainSyntax
    package var state = State.open
    var isUsed = false
  }

  private enum State: Sendable {
    case open, busy
    case done(Chain?)
  }

  var dialect = ChainDialect.nuke(nil)
  private var definitions: [String: Definition] = [:]
  private var order: [String] = []
  /// Of chains in entries, each said once.
  private var lints: [(lint: Mistake, line: TextLine)] = []
  private var knownLints: Set<String> = []

  /// The line of an earlier definition of `name`.
  package func line(of name: String) -> Int? { definitions[name]?.line.number }

  mutating func define(_ name: String, at offset: Int, as syntax: ChainSyntax, in line: TextLine) {
    definitions[name] = Definition(line: line.copied(), nameOffset: offset, syntax: syntax)
    order.append(name)
  }

  /// Resolves every definition; those that are right get their row, in the order written.
  mutating func resolveAll(into table: inout ChainTable, _ diagnostics: inout Diagnostics) {
    for name in order {
      if let chain = resolve(name, depth: 0, &diagnostics) {
        _ = table.intern(chain, label: name, encoding: definitions[name]?.syntax.encoding)
      }
    }
  }

  /// The row of a chain in an entry, nil when something is wrong with it.
  package mutating func index(
    of syntax: ChainSyntax, in line: TextLine, table: inout ChainTable,
    _ mistakes: inout [Mistake]
  ) -> Int? {
    if let known = knownRow(of: syntax, table) { return known }
    var nested = Diagnostics()
    var lints: [Mistake] = []
    guard let chain = chain(syntax, depth: 0, &mistakes, &nested, &lints, isUse: true) else { return nil }
    note(lints, in: line)
    return table.intern(chain, label: line.text(syntax.range))
  }

  /// A name that was used before: what nearly every entry of a long job has.
  private func knownRow(of syntax: ChainSyntax, _ table: ChainTable) -> Int? {
    guard syntax.members.count == 1, syntax.members[0].arguments == nil, syntax.members[0].identifier == nil,
      definitions[syntax.members[0].name]?.isUsed == true
    else { return nil }
    return table.index(ofLabel: syntax.members[0].name)
  }

  /// A job may repeat a chain in a million lines.
  private mutating func note(_ lints: [Mistake], in line: TextLine) {
    for lint in lints where knownLints.count < Diagnostics.limit {
      if knownLints.insert(lint.message).inserted { self.lints.append((lint, line.copied())) }
    }
  }

  /// Warns of what chains in entries are worth a word for, and of names that no entry uses.
  func reportFindings(_ diagnostics: inout Diagnostics) {
    for (lint, line) in lints { diagnostics.add(.warning, lint, in: line) }
    for name in order {
      guard let definition = definitions[name], !definition.isUsed, case .done(.some) = definition.state
      else { continue }
      let mistake = Mistake(
        definition.nameOffset, "the chain \(Mistake.quote(name)) is never used",
        help: "name it in an entry, or take it out")
      diagnostics.add(.warning, mistake, in: definition.line)
    }
  }

  private mutating func resolve(
    _ name: String, depth: Int, _ diagnostics: inout Diagnostics
  ) -> Chain? {
    guard let definition = definitions[name] else { return nil }
    if case .done(let chain) = definition.state { return chain }
    definitions[name]?.state = .busy
    var mistakes: [Mistake] = []
    var lints: [Mistake] = []
    let chain = chain(definition.syntax, depth: depth, &mistakes, &diagnostics, &lints, isUse: false)
    diagnostics.add(mistakes, in: definition.line)
    for lint in lints { diagnostics.add(.warning, lint, in: definition.line) }
    definitions[name]?.state = .done(chain)
    return chain
  }

  private mutating func chain(
    _ syntax: ChainSyntax, depth: Int, _ mistakes: inout [Mistake], _ diagnostics: inout Diagnostics,
    _ lints: inout [Mistake], isUse: Bool
  ) -> Chain? {
    let before = mistakes.count
    var chain = dialect.original
    var isWhole = true
    for (index, member) in syntax.members.enumerated() {
      if member.name == "original" {
        if syntax.members.count == 1, member.arguments == nil, member.identifier == nil { return chain }
        mistakes.append(Mistake(member.offset, "'original' stands alone: it means no processing"))
      } else if dialect.names.contains(member.name) {
        dialect.append(member, at: index, to: &chain, &mistakes, &lints)
      } else if definitions[member.name] != nil {
        if isUse { markUsed(member.name, depth: depth) }
        guard let part = named(member, depth: depth, &mistakes, &diagnostics) else {
          isWhole = false
          continue
        }
        dialect.join(part, calledAs: member, at: index, to: &chain, &mistakes)
      } else {
        mistakes.append(dialect.unknown(member, chains: order))
      }
      if chain.processorCount > Self.mostProcessors {
        mistakes.append(Mistake(member.offset, "a chain has at most \(Self.mostProcessors) processors"))
        return nil
      }
    }
    guard isWhole, mistakes.count == before else { return nil }
    if let reason = dialect.unsupportedReason(chain) {
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
    if case .busy = definitions[member.name]?.state {
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
    guard depth <= Self.deepest, let definition = definitions[name], !definition.isUsed else { return }
    definitions[name]?.isUsed = true
    for member in definition.syntax.members { markUsed(member.name, depth: depth + 1) }
  }
}
