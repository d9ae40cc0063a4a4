import NukeCache
import Rendering

extension Plan {
  /// The rendition as the engine makes it.
  func task(at row: Row, session: Int) -> RenditionTask {
    let rendition = rendition(at: row)
    let options = options[Int(row.options)]
    let storesEncoded = rendition.stores.contains { $0.content == .encoded }
    return RenditionTask(
      rendition: rendition, session: session,
      output: storesEncoded ? output(of: variants[Int(row.variant)], options: options) : nil, options: options
    )
  }

  /// What a worker is asked for; nil where nothing can be drawn.
  func output(of variant: ChainVariant, options: EntryOptions) -> RenderRequest.Output? {
    guard case .steps(let steps) = variant.drawing else { return nil }
    return RenderRequest.Output(
      steps: steps, encoding: encoding(options.encoding ?? variant.encoding ?? settings.encoding))
  }

  private func encoding(_ encoding: JobEncoding) -> RenderRequest.Encoding {
    let keepsGIF = DataCacheRules(version: settings.client).encodedGIFKeepsOriginalBytes
    return switch encoding {
    // Nuke's own encoder: `ImageEncoders.Default`, JPEG 0.8.
    case .client: .automatic(jpegQuality: 80, keepsGIF: keepsGIF)
    // Alpha stays PNG: a round avatar on a white square is never what was meant.
    case .jpeg(let quality): .automatic(jpegQuality: quality, keepsGIF: keepsGIF)
    case .png: .png
    case .recipe(let recipe): .recipe(recipe.keepingGIF(keepsGIF))
    }
  }

  /// Why a rendition cannot be made, whatever the source turns out to be.
  func impossibility(of rendition: PlannedRendition, at row: Row) -> RunFailure? {
    guard !rendition.key.isEmpty else {
      return RunFailure(
        step: .plan, code: "plan.no-key",
        message: "its cache key is empty: the client neither stores nor finds it",
        advice: "give it an id=")
    }
    guard case .impossible(let reason) = variants[Int(row.variant)].drawing,
      rendition.stores.contains(where: { $0.content == .encoded })
    else { return nil }
    return RunFailure(step: .plan, code: "plan.not-drawable", message: "it cannot be drawn: \(reason)")
  }
}

extension EncodingRecipe {
  /// A format that was named holds for a GIF's first frame too; `jpeg` and `keep` leave it to the client.
  fileprivate func keepingGIF(_ clientKeepsIt: Bool) -> EncodingRecipe {
    var recipe = self
    switch format {
    case .jpeg, .source: recipe.keepsGIF = clientKeepsIt
    case .png, .webp, .heic, .avif: recipe.keepsGIF = false
    }
    return recipe
  }
}
