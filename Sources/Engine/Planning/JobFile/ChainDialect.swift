import KingfisherCache
import NukeCache
import Text

/// Whose words the chains of a job are written in.
///
/// The version is nil where the job does not say it, or says it wrongly: then nothing depends on it.
enum ChainDialect: Sendable {
  case nuke(NukeVersion?)
  case kingfisher(KingfisherVersion?, KingfisherKeyFormat.Style)

  init(_ client: CacheClient, style: KingfisherKeyFormat.Style) {
    switch client {
    case .nuke(let version): self = .nuke(version)
    case .kingfisher(let version): self = .kingfisher(version, style)
    }
  }

  package var client: String {
    switch self {
    case .nuke: "nuke"
    case .kingfisher: "kingfisher"
    }
  }

  /// Words that make a member of a chain.
  package var names: [String] {
    switch self {
    case .nuke: NukeProcessors.names
    case .kingfisher: KingfisherProcessors.names
    }
  }

  /// No processing.
  package var original: Chain {
    switch self {
    case .nuke: .nuke(.original)
    case .kingfisher: .kingfisher([])
    }
  }

  /// Puts one of ``names`` behind a chain. What is no mistake but worth a word goes to `lints`.
  package func append(
    _ member: ChainSyntax.Member, at index: Int, to chain: inout Chain, _ mistakes: inout [Mistake],
    _ lints: inout [Mistake]
  ) {
    switch self {
    case .nuke:
      guard let part = NukeProcessors.part(member, &mistakes) else { return }
      join(.nuke(part), calledAs: member, at: index, to: &chain, &mistakes)
    case .kingfisher(_, let style):
      guard let processor = KingfisherProcessors.part(member, &mistakes) else { return }
      if let lint = KingfisherProcessors.lint(processor, style: style, at: member.offset) {
        lints.append(lint)
      }
      join(.kingfisher([processor]), calledAs: member, at: index, to: &chain, &mistakes)
    }
  }

  /// Puts a part of a chain behind another.
  package func join(
    _ part: Chain, calledAs member: ChainSyntax.Member, at index: Int, to chain: inout Chain,
    _ mistakes: inout [Mistake]
  ) {
    switch (chain, part) {
    case (.nuke(var whole), .nuke(let part)):
      if let thumbnail = part.thumbnail {
        if index == 0 {
          whole.thumbnail = thumbnail
        } else {
          let what =
            member.name == "thumbnail" ? "a thumbnail" : "\(Mistake.quote(member.name)) (a thumbnail)"
          mistakes.append(Mistake(member.offset, "\(what) can only come first", help: "processors follow it"))
        }
      }
      whole.processors += part.processors
      chain = .nuke(whole)
    case (.kingfisher(let whole), .kingfisher(let part)): chain = .kingfisher(whole + part)
    case (.nuke, .kingfisher), (.kingfisher, .nuke): break
    }
  }

  /// Why the client's version has no key for a chain.
  package func unsupportedReason(_ chain: Chain) -> String? {
    switch (self, chain) {
    case (.nuke(let version?), .nuke(let chain)):
      CacheKeyFormat(version: version)
        .unsupportedReason(thumbnail: chain.thumbnail, processors: chain.processors)
    case (.kingfisher(let version?, _), .kingfisher(let processors)):
      // Style and names have been looked at where they are set.
      KingfisherKeyFormat(version: version).unsupportedReason(processors: processors)
    default: nil
    }
  }

  /// A word of the other client, or one that nobody knows.
  package func unknown(_ member: ChainSyntax.Member, chains: [String]) -> Mistake {
    let quote = Mistake.quote(member.name)
    let other: (names: [String], owner: String) =
      switch self {
      case .nuke: (KingfisherProcessors.names, "Kingfisher's")
      case .kingfisher: (NukeProcessors.names, "Nuke's")
      }
    let has = client.prefix(1).uppercased() + client.dropFirst() + " has " + names.joined(separator: ", ")
    if other.names.contains(member.name) {
      return Mistake(
        member.offset, "\(quote) is \(other.owner), and the client is \(client)", help: has)
    }
    let known = (member.arguments == nil ? chains + ["original"] : []) + names
    let flags = member.arguments == nil ? EntryOptionName.allCases.map(\.rawValue) : []
    return Mistake(
      member.offset, "no chain or processor is called \(quote)",
      help: Mistake.suggestion(
        WordDistance.nearest(member.name, in: known + flags),
        otherwise: "define it: chain \(TerminalText.escaped(member.name)) = \(example)"))
  }

  private var example: String {
    switch self {
    case .nuke: "resize(width: 320)"
    case .kingfisher: "downsampling(size: 320x320)"
    }
  }
}
