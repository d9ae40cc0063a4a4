import Pictures

extension EncodingRecipe {
  /// A format that was named holds for a GIF's first frame too; `jpeg` and `keep` leave it to the client.
  func keepingGIF(_ clientKeepsIt: Bool) -> EncodingRecipe {
    var recipe = self
    switch format {
    case .jpeg, .source: recipe.keepsGIF = clientKeepsIt
    case .png, .webp, .heic, .avif: recipe.keepsGIF = false
    }
    return recipe
  }
}
