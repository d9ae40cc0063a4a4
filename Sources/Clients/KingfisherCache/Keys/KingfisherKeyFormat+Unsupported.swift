extension KingfisherKeyFormat {
  /// Why this version has no key for a chain, or no such setting, in a sentence for people; nil where it has.
  ///
  /// The other functions never fail, so ask this first: for what the version cannot express they give text that no
  /// app will ever look up.
  package func unsupportedReason(processors: [BuiltInProcessor]) -> String? {
    unsupportedSetting ?? processors.lazy.compactMap { unsupportedReason($0) }.first
  }

  private var unsupportedSetting: String? {
    if style == .builder, !version.hasBuilders {
      return "Kingfisher \(version) has no KF builder; it came with 6.0.0, so use the style options"
    }
    if naming.autoExtension, !version.hasAutoExtension {
      return
        "Kingfisher \(version) has no automatic extension (autoExtAfterHashedFileName); it came with 6.3.0"
    }
    if !naming.isHashed, !version.hasPlainNames {
      return "Kingfisher \(version) hashes all names (usesHashedFileName); it can be set since 5.3.0"
    }
    if naming.forcedExtension != nil, !version.hasForcedExtension {
      return "Kingfisher \(version) has no forced extension (forcedCacheFileExtension); it came with 8.1.0"
    }
    return nil
  }

  private func unsupportedReason(_ processor: BuiltInProcessor) -> String? {
    switch processor {
    case .roundCorner(let radius, _, _, let background):
      unsupportedReason(radius) ?? background.flatMap(nanReason)
    case .border(let color, _, _, _):
      version.hasBorders
        ? nanReason(color) : "Kingfisher \(version) has no border processor; it came with 7.0.0"
    case .overlay(let color, _), .tint(let color): unsupportedReason(color)
    case .blend(_, _, let background): background.flatMap(unsupportedReason)
    default: nil
    }
  }

  private func unsupportedReason(_ radius: BuiltInProcessor.Radius) -> String? {
    if case .point = radius { return nil }
    return version.hasRadiusFractions
      ? nil
      : "Kingfisher \(version) has no corner radius as a fraction; it came with 5.14.0, so give it in points"
  }

  /// Where Kingfisher itself would trap, there is no key.
  private func unsupportedReason(_ color: BuiltInProcessor.Color) -> String? {
    if let reason = nanReason(color) { return reason }
    if !version.printsDecimalColors, color.components.contains(where: { Self.byte($0) == nil }) {
      return "a colour component is out of range for Kingfisher \(version)"
    }
    return nil
  }

  private func nanReason(_ color: BuiltInProcessor.Color) -> String? {
    color.components.contains(where: \.isNaN) ? "a colour component is not a number" : nil
  }
}
