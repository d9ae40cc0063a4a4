import CacheCore
import NukeCache

/// Turns chains as written into chains, and knows those that have a name.
struct ChainResolver: Sendable {
  /// More drawing steps than any app has; chains of chains could otherwise grow without end.
  static let mostProcessors = 64
  private static let deepest = 32

  private struct Definition: Sendable {
    var line: TextLine
    var nameOffset: Int
    var syntax: ChainSyntax
    var state = State.open
    var isUsed = false
  }

  private enum State: Sendable {
    case open, busy
    case done(NukeChain?)
  }

  /// Nil while the client is not known: then nothing depends on it.
  var version: NukeVersion?
  private var definitions: [String: Definition] = [:]
  private var order: [String] = []

  /// The line of an earlier definition of `name`.
  func line(of name: String) -> Int? { definitions[name]?.line.number }

  mutating func define(_ name: String, at offset: Int, as syntax: ChainSyntax, in line: TextLine) {
    definitions[name] = Definition(line: line.copied(), nameOffset: offset, syntax: syntax)
    order.append(name)
  }

  /// Resolves every definition; those that are right get their row, in the order written.
  mutating func resolveAll(into table: inout ChainTable, _ diagnostics: inout Diagnostics) {
    for name in order {
      if let chain = resolve(name, depth: 0, &diagnostics) { _ = table.intern(.nuke(chain), label: name) }
    }
  }

  /// The row of a chain in an entry, nil when something is wrong with it.
  mutating func index(
    of syntax: ChainSyntax, in line: TextLine, table: inout ChainTable,
    _ mistakes: inout [Mistake]
  ) -> Int? {
    if let known = knownRow(of: syntax, table) { return known }
    var nested = Diagnostics()
    guard let chain = chain(syntax, depth: 0, &mistakes, &nested, isUse: true) else { return nil }
    return table.intern(.nuke(chain), label: line.text(syntax.range))
  }

  /// A name that was used before: what nearly every entry of a long job has.
  private func knownRow(of syntax: ChainSyntax, _ table: ChainTable) -> Int? {
    guard syntax.members.count == 1, syntax.members[0].arguments == nil, syntax.members[0].identifier == nil,
      definitions[syntax.members[0].name]?.isUsed == true
    else { return nil }
    return table.index(ofLabel: syntax.members[0].name)
  }

  /// Warns of names that no entry uses.
  func reportUnused(_ diagnostics: inout Diagnostics) {
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
  ) -> NukeChain? {
    guard let definition = definitions[name] else { return nil }
    if case .done(let chain) = definition.state { return chain }
    definitions[name]?.state = .busy
    var mistakes: [Mistake] = []
    let chain = chain(definition.syntax, depth: depth, &mistakes, &diagnostics, isUse: false)
    diagnostics.add(mistakes, in: definition.line)
    definitions[name]?.state = .done(chain)
    return chain
  }

  private mutating func chain(
    _ syntax: ChainSyntax, depth: Int, _ mistakes: inout [Mistake], _ diagnostics: inout Diagnostics,
    isUse: Bool
  ) -> NukeChain? {
    let before = mistakes.count
    var chain = NukeChain()
    var isWhole = true
    for (index, member) in syntax.members.enumerated() {
      if member.name == "original" {
        if syntax.members.count == 1, member.arguments == nil, member.identifier == nil { return .original }
        mistakes.append(Mistake(member.offset, "'original' stands alone: it means no processing"))
      } else if member.name == "thumbnail" {
        refuseIdentifier(member, &mistakes)
        guard let thumbnail = NukeProcessors.thumbnail(member, &mistakes) else { continue }
        set(thumbnail, at: index, member, &chain, &mistakes)
      } else if NukeProcessors.names.contains(member.name) {
        if let processor = NukeProcessors.processor(member, &mistakes) {
          chain.processors.append(identified(processor, member, &mistakes))
        }
      } else if definitions[member.name] != nil {
        if isUse { markUsed(member.name, depth: depth) }
        guard let part = named(member, depth: depth, &mistakes, &diagnostics) else {
          isWhole = false
          continue
        }
        if let thumbnail = part.thumbnail { set(thumbnail, at: index, member, &chain, &mistakes) }
        chain.processors += part.processors
      } else {
        mistakes.append(unknown(member))
      }
      if chain.processors.count > Self.mostProcessors {
        mistakes.append(Mistake(member.offset, "a chain has at most \(Self.mostProcessors) processors"))
        return nil
      }
    }
    guard isWhole, mistakes.count == before else { return nil }
    if let version,
      let reason = CacheKeyFormat(version: version).unsupportedReason(
        thumbnail: chain.thumbnail, processors: chain.processors)
    {
      mistakes.append(Mistake(syntax.range.lowerBound, reason))
      return nil
    }
    return chain
  }

  /// A chain called by its name, as a member of another or alone.
  private mutating func named(
    _ member: ChainSyntax.Member, depth: Int, _ mistakes: inout [Mistake],
    _ diagnostics: inout Diagnostics
  ) -> NukeChain? {
    let quote = Mistake.quote(member.name)
    if member.arguments != nil {
      mistakes.append(Mistake(member.offset, "\(quote) is a chain of this job and takes no arguments"))
    }
    refuseIdentifier(member, &mistakes)
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

  private func set(
    _ thumbnail: ThumbnailOptions, at index: Int, _ member: ChainSyntax.Member, _ chain: inout NukeChain,
    _ mistakes: inout [Mistake]
  ) {
    if index == 0 {
      chain.thumbnail = thumbnail
    } else {
      let what = member.name == "thumbnail" ? "a thumbnail" : "\(Mistake.quote(member.name)) (a thumbnail)"
      mistakes.append(Mistake(member.offset, "\(what) can only come first", help: "processors follow it"))
    }
  }

  private func refuseIdentifier(_ member: ChainSyntax.Member, _ mistakes: inout [Mistake]) {
    guard let identifier = member.identifier else { return }
    mistakes.append(
      Mistake(identifier.offset, "'as' belongs to a processor, and \(Mistake.quote(member.name)) is none"))
  }

  private func identified(
    _ processor: ImageProcessor, _ member: ChainSyntax.Member, _ mistakes: inout [Mistake]
  ) -> ImageProcessor {
    guard let identifier = member.identifier else { return processor }
    if case .custom = processor {
      mistakes.append(Mistake(identifier.offset, "custom(...) has its identifier already"))
    }
    return .identified(processor, as: identifier.text)
  }

  private mutating func markUsed(_ name: String, depth: Int) {
    guard depth <= Self.deepest, let definition = definitions[name], !definition.isUsed else { return }
    definitions[name]?.isUsed = true
    for member in definition.syntax.members { markUsed(member.name, depth: depth + 1) }
  }

  private func unknown(_ member: ChainSyntax.Member) -> Mistake {
    let quote = Mistake.quote(member.name)
    if NukeProcessors.kingfisherNames.contains(member.name) {
      return Mistake(
        member.offset, "\(quote) is Kingfisher's, and the client is nuke",
        help: "Nuke has " + NukeProcessors.names.joined(separator: ", "))
    }
    let known = (member.arguments == nil ? order + ["original"] : []) + NukeProcessors.names
    let flags = member.arguments == nil ? EntryOptionName.allCases.map(\.rawValue) : []
    let nearest = WordDistance.nearest(member.name, in: known + flags)
    return Mistake(
      member.offset, "no chain or processor is called \(quote)",
      help: Mistake.suggestion(
        nearest, otherwise: "define it: chain \(TerminalText.escaped(member.name)) = resize(width: 320)"))
  }
}
