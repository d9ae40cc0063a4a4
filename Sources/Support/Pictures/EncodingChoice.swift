/// How results are encoded. An entry's word holds over its chain's, and that over the job's.
package enum EncodingChoice: Hashable, Sendable {
  /// The client's own choice; for Nuke JPEG 0.8, PNG where there is alpha.
  case client
  /// Quality 1 to 100; PNG where there is alpha.
  case jpeg(quality: Int)
  case png
  /// All that says more.
  case recipe(EncodingRecipe)

  /// The shortest way to say it, so that a default that is written out is the default.
  package init(_ recipe: EncodingRecipe) {
    switch recipe.format {
    case .jpeg(let options) where options == .init(quality: options.quality) && recipe.fitBytes == nil:
      self = .jpeg(quality: options.quality)
    case .png(let options) where options == .init() && recipe.fitBytes == nil:
      self = .png
    default:
      self = .recipe(recipe)
    }
  }
}

extension EncodingRecipe {
  /// A format that was named holds for a GIF's first frame too; `jpeg` and `keep` leave it to the client.
  package func keepingGIF(_ clientKeepsIt: Bool) -> EncodingRecipe {
    var recipe = self
    switch format {
    case .jpeg, .source: recipe.keepsGIF = clientKeepsIt
    default: recipe.keepsGIF = false
    }
    return recipe
  }
}
