import ClientKit
import JobFile
import Pictures

extension Plan {
  /// The rendition as the engine makes it.
  package func task(at row: Row, session: Int) -> RenditionTask {
    let rendition = rendition(at: row)
    let options = options[Int(row.options)]
    let storesEncoded = rendition.stores.contains { $0.content == .encoded }
    return RenditionTask(
      rendition: rendition, session: session,
      output: storesEncoded ? output(of: variants[Int(row.variant)], options: options) : nil,
      options: options,
      check: settings.sources.check)
  }

  /// What a worker is asked for; nil where nothing can be drawn.
  package func output(of variant: ChainVariant, options: RequestOptions) -> RenderOutput? {
    guard case .steps(let steps) = variant.form.drawing else { return nil }
    return RenderOutput(
      steps: steps,
      encoding: client.encoding(options.encoding ?? variant.encoding ?? settings.encoding),
      embedded: options.embedded ?? settings.embedded,
      keepsGamut: settings.gamut == .client && variant.form.keepsGamut)
  }

  /// Why a rendition cannot be made, whatever the source turns out to be.
  package func impossibility(of rendition: PlannedRendition, at row: Row) -> RunFailure? {
    guard !rendition.key.isEmpty else {
      return RunFailure(
        step: .plan, code: "plan.no-key",
        message: "its cache key is empty: the client neither stores nor finds it",
        advice: "give it an id=")
    }
    guard let reason = variants[Int(row.variant)].form.drawing.obstacle,
      rendition.stores.contains(where: { $0.content == .encoded })
    else { return nil }
    return RunFailure(step: .plan, code: "plan.not-drawable", message: "it cannot be drawn: \(reason)")
  }
}
