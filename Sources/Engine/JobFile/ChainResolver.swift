import ClientKit
import ClientRegistry
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

/// The words that the chains of a job are written in.
struct ChainDialect: Sendable {
  let client: any ImageClient
  /// The same; nil where the job does not say the version, or says it wrongly: then nothing depends on it.
  let judge: (any ImageClient)?
  let names: [String]
  private let library: ClientLibrary
  /// The job's settings.
  private let values: SettingValues
  private var scales: [Double] { values[JobKey.scale] }

  init(
    _ library: ClientLibrary, _ client: any ImageClient, isReleaseKnown: Bool, _ values: SettingValues
  ) {
    self.values = values
    self.client = client
    judge = isReleaseKnown ? client : nil
    names = client.processorRows.names
    self.library = library
  }

  /// The client of requests with settings of their own; nil as ``judge``.
  func judge(of settings: [String: String]) -> (any ImageClient)? {
    settings.isEmpty ? judge : judge.map { library.make($0.identity.release, values, settings) }
  }

  /// Mistakes in settings that a line has for itself.
  func mistakes(in tail: LineTail) -> [Mistake] {
    tail.settings.compactMap { row, offset in
      guard row.owner == library.name else {
        let message = "'\(row.name)=' belongs to \(row.owner ?? ""), and the client is \(library.name)"
        return Mistake(offset, message, help: "take it out")
      }
      let faults = judge(of: tail.options.settings)?.faults(scales: scales) ?? []
      return faults.first { $0.setting == row.name }.map { fault in
        Mistake(offset, fault.mistake.message, help: fault.mistake.help)
      }
    }
  }

  func join(
    _ part: Chain, calledAs member: ChainSyntax.Member, to chain: inout Chain, isFirst: Bool,
    _ mistakes: inout [Mistake]
  ) {
    if !isFirst, let name = client.processorRows.parts(of: part).leading?.name {
      let what = member.name == name ? "a \(name)" : "\(Mistake.quote(member.name)) (a \(name))"
      mistakes.append(Mistake(member.offset, "\(what) can only come first", help: "processors follow it"))
      return
    }
    if !isFirst, (part.calls + chain.calls).contains(where: \.isOriginal) {
      mistakes.append(.notAlone(at: member.offset))
    }
    chain.calls += part.calls
  }

  /// Sizes of nothing have keys that an app may ask for, so they are not mistakes; but they are hardly meant.
  func lint(ofDrawing part: ProcessorCall, as member: ChainSyntax.Member) -> Mistake? {
    guard case .steps(let steps) = client.drawing(of: [part], scale: 1),
      let obstacle = steps.lazy.compactMap(\.obstacle).first
    else { return nil }
    return Mistake(
      member.offsetOfNothing, "\(Mistake.quote(member.name)) cannot be drawn: \(obstacle)",
      help: "its key is known, but a run cannot make this rendition")
  }

  /// A size in points that is nearly a whole number of pixels has been rounded on its way into the job: the app's layout
  /// has a third of 320, which is not 106.67, and its key has all digits.
  func lint(ofRounding part: ProcessorCall, as member: ChainSyntax.Member) -> Mistake? {
    let parameters = client.processorRows.row(of: part)?.parameters ?? []
    let lengths = parameters.flatMap { part.values[$0.label]?.lengths(of: $0) ?? [] }
    for scale in scales where scale != 1 && client.form(of: Chain([part]), scale: scale).dependsOnScale {
      for length in lengths {
        let whole = (length * scale).rounded()
        guard whole > 0, (1e-6..<0.05).contains(abs(length * scale - whole)) else { continue }
        let text = NumberText.plain(length)
        let pixels = "\(NumberText.plain(whole))/\(NumberText.plain(scale))"
        return Mistake(
          member.offset,
          "\(text) points are \(NumberText.fixed(length * scale, 2)) pixels at \(NumberText.plain(scale))x: an app that "
            + "has \(NumberText.plain(whole)) pixels asks for another key",
          help: "write the size as the app computes it, for instance \(pixels) in place of \(text)")
      }
    }
    return nil
  }

  /// A word of another client, or an unknown one.
  func unknown(_ member: ChainSyntax.Member, chains: [String]) -> Mistake {
    let quote = Mistake.quote(member.name)
    for other in ClientRegistry.libraries where other.name != library.name {
      guard other.newestClient.processorRows.names.contains(member.name) else { continue }
      return Mistake(
        member.offset, "\(quote) is \(other.title)'s, and the client is \(library.name)",
        help: "\(library.title) has \(names.joined(separator: ", "))")
    }
    let known = (member.arguments == nil ? chains + ["original"] : []) + names
    let flags = member.arguments == nil ? LineOption.names : []
    return Mistake(
      member.offset, "no chain or processor is called \(quote)",
      help: Mistake.suggestion(
        WordDistance.nearest(member.name, in: known + flags),
        otherwise: "define it: chain \(TerminalText.escaped(member.name)) = \(client.processorExample)"))
  }
}

extension ProcessorValue {
  /// Its widths and heights.
  fileprivate func lengths(of parameter: Parameter) -> [Double] {
    switch (self, parameter.type) {
    case (.numbers(let sides), .size): sides
    case (.number(let length), .number) where ["width", "height"].contains(parameter.label): [length]
    default: []
    }
  }
}

extension ChainSyntax.Member {
  /// Where a size of 0 or less stands, or else a number; the member itself where it is written in another way.
  fileprivate var offsetOfNothing: Int {
    func isNothing(_ text: some StringProtocol) -> Bool {
      DecimalText.double(String(text)).map { $0 <= 0 } ?? false
    }
    let words = (arguments ?? []).compactMap { argument -> (offset: Int, sides: [Substring])? in
      guard case .word(let text) = argument.value else { return nil }
      return (argument.valueOffset, text.split(separator: "x"))
    }
    let found =
      words.first { $0.sides.count == 2 && $0.sides.contains { isNothing($0) } }
      ?? words.first { $0.sides.count == 1 && isNothing($0.sides[0]) }
    return found?.offset ?? offset
  }
}
