import NukeCache

extension NukeProcessors {
  /// The chain of one that a member spells: a thumbnail or a processor, maybe under another identifier.
  package static func part(_ member: ChainSyntax.Member, _ mistakes: inout [Mistake]) -> NukeChain? {
    if member.name == "thumbnail" {
      member.refuseIdentifier(&mistakes)
      return thumbnail(member, &mistakes).map { NukeChain(thumbnail: $0) }
    }
    guard let processor = processor(member, &mistakes) else { return nil }
    var isCustom = false
    if case .custom = processor { isCustom = true }
    let identifier = member.ownIdentifier(ofCustom: isCustom, &mistakes)
    return NukeChain(processors: [identifier.map { .identified(processor, as: $0) } ?? processor])
  }
}
