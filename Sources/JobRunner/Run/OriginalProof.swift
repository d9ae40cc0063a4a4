import Rendering

/// Whether a source may be stored as it came: by its structure, and by what a worker met that drew from it.
struct OriginalProof: Sendable {
  private let failure: RenderFailure?

  /// - Parameter results: what workers made of the same bytes, nothing where they were not asked.
  init(
    of bytes: [UInt8], results: RenderedOutputs, formats: Set<ImageFormat>, limits: RenderLimits
  ) {
    if let damage = results.damage {
      failure = damage
      return
    }
    do throws(RenderFailure) {
      try PictureStructure.check(bytes, formats: formats, limits: limits)
      failure = nil
    } catch {
      failure = error
    }
  }

  /// - Throws: why the picture is not to be stored.
  func check() throws(RenderFailure) {
    if let failure { throw failure }
  }
}

extension RenderedOutputs {
  /// Nothing was asked of a worker.
  static let none = RenderedOutputs()

  /// What a decoder found wrong with the source itself, whichever result it was to be for.
  fileprivate var damage: RenderFailure? {
    failures.first { [.format, .truncated, .damaged].contains($0.code) }
  }
}
