import ClientKit
import Pictures

/// What is stored of an animated source. Facts: SDWebImage 5.0.0 to 5.21.5, `SDWebImageManager.m` and `SDImageCache.m`.
extension SDWebImageClient {
  /// - Parameter entries: those of a still.
  /// - Returns: nil where it is drawn as a still.
  func animated(
    _ kind: AnimatedKind, _ chain: Chain, _ form: ChainForm, _ entries: [EntryRule], _ options: RequestOptions
  ) -> AnimatedStorage? {
    let (thumbnail, transformers) = processorRows.parts(of: chain)
    // A GIF with one frame is a picture like any other.
    if kind == .stillGIF || kind == .oddGIF || kind == .rarer || options.noDiskWrite { return nil }
    if transforms != .off, !transformers.isEmpty {
      guard transforms == .frames, version.encodesFrames else { return nil }
      return frames(
        kind, entries, form.drawing, options, "with transform-animated frames all frames are drawn")
    }
    if let thumbnail, version.encodesThumbnails {
      let steps = drawing(of: [thumbnail], scale: form.scale)
      return frames(
        kind, entries, steps, options, "SDWebImage \(version) stores the thumbnails of all frames")
    }
    // Without a coder for the animation its first frame is a picture that transformers draw.
    if kind == .webp, !animatesWebP, !transformers.isEmpty { return nil }
    func ownBytes(_ key: KeySuffix) -> [EntryRule] { stores.result.hasDisk ? [(key, .original)] : [] }
    let originals = entries.filter { $0.content == .original }
    if let thumbnail {
      return AnimatedStorage(
        ownBytes(suffix(of: [thumbnail])) + (transformers.isEmpty ? originals : []),
        "SDWebImage \(version) stores the own bytes of animated images under the thumbnail's key")
    }
    let skipped =
      "SDWebImage \(version) does not transform animated images: their own bytes are stored under "
    return version.storesUntransformed
      ? AnimatedStorage(ownBytes(form.suffix) + originals, skipped + "the request's own key")
      : AnimatedStorage(ownBytes(.original), skipped + "the URL's key alone")
  }

  /// All frames, in the source's own format where the job names none.
  private func frames(
    _ kind: AnimatedKind, _ entries: [EntryRule], _ drawing: ChainForm.Drawing, _ options: RequestOptions,
    _ reason: String
  ) -> AnimatedStorage? {
    if kind == .webp, !animatesWebP { return nil }
    // Of a format that holds one picture the job wants the first frame.
    if let choice = options.encoding, choice.namesFormat {
      guard case .recipe(let recipe) = choice, case .webp = recipe.format else { return nil }
    }
    guard kind != .apng else {
      return AnimatedStorage(
        entries.filter { $0.content == .original },
        "\(reason), and frames of a PNG are not drawn here: the app makes them itself")
    }
    guard case .steps(let steps) = drawing else { return nil }
    return AnimatedStorage(
      entries.map { ($0.key, $0.content == .encoded ? .frames : $0.content) }, reason, steps: steps)
  }
}
