import Pictures

/// How results are encoded. An entry's word holds over its chain's, and that over the job's.
package enum JobEncoding: Hashable, Sendable {
  /// The client's own choice; for Nuke JPEG 0.8, PNG where there is alpha.
  case client
  /// Quality 1 to 100; PNG where there is alpha.
  case jpeg(quality: Int)
  case png
  /// All that says more.
  case recipe(EncodingRecipe)

  /// The shortest way to say it, so that a default that is written out is the default.
  init(_ recipe: EncodingRecipe) {
    switch recipe.format {
    case .jpeg(let options) where options == .init(quality: options.quality) && recipe.fitBytes == nil:
      self = .jpeg(quality: options.quality)
    case .png(let options) where options == .init() && recipe.fitBytes == nil:
      self = .png
    default:
      self = .recipe(recipe)
    }
  }

  /// What is to be known about devices that decode it. Apple's systems read WebP from iOS 14 and macOS 11 on,
  /// AVIF from iOS 16 and macOS 13 on; HEIC, from iOS 11 on, is read wherever the clients run.
  func lint(at place: Int) -> Mistake? {
    guard case .recipe(let recipe) = self else { return nil }
    switch recipe.format {
    case .webp:
      return Mistake(
        place, "only iOS 14, macOS 11 and later decode WebP", help: "jpeg, where the app runs on older ones")
    case .avif:
      return Mistake(
        place, "only iOS 16, macOS 13 and later decode AVIF", help: "heic, where the app runs on older ones")
    case .jpeg, .png, .heic, .source: return nil
    }
  }
}
