import CVips
import Pictures
import Rendering

/// Writes a finished picture. The bitmap's having an alpha channel decides the format, not its pixels, but where the
/// source's own format is kept as long as that loses nothing.
struct OutputEncoder {
  var encoding: RenderRequest.Encoding
  /// What the picture was decoded from; nil where it came as pixels.
  var source: ImageFormat?
  var deadline: Deadline

  struct File {
    var format: ImageFormat
    var bytes: [UInt8]
    /// Something the user may want to know about how it was made.
    var note: String?

    func product(_ width: Int, _ height: Int, _ note: String?) -> RenderSession.Product {
      (.encoded(format: format, width: width, height: height, byteCount: bytes.count, note: note), bytes)
    }
  }

  /// - Throws: `.limit` where the format cannot hold the size, `.memory`, `.encode`, `.timeout`.
  func encode(_ picture: Picture) throws(RenderFailure) -> File {
    switch encoding {
    // `.original` and `.pixels` do not come here: there is nothing to write.
    case .png, .original, .pixels:
      return try write(picture, as: .png(.init()))
    case .jpeg(let quality):
      return try write(flattened(picture), as: .jpeg(.init(quality: quality)))
    case .automatic(let quality):
      return try write(picture, as: .jpeg(.init(quality: quality)))
    case .likeSource(let quality):
      guard source == .jpeg else { return try write(picture, as: .png(.init())) }
      return try write(
        picture.image.isOpaque ? flattened(picture) : picture, as: .jpeg(.init(quality: quality)))
    case .recipe(let recipe):
      return try fit(concrete(recipe.format, picture.image), recipe.fitBytes) {
        format throws(RenderFailure) in
        try write(picture, as: format)
      }
    }
  }

  /// Writes frames in one file: in the format that is named where that holds them, else in the source's.
  func encode(_ film: Film) throws(RenderFailure) -> File {
    guard case .recipe(let recipe) = encoding else { return try write(film, as: .source(quality: 100)) }
    return try fit(recipe.format, recipe.fitBytes) { format throws(RenderFailure) in
      try write(film, as: format)
    }
  }

  private func fit(
    _ format: EncodingRecipe.Format, _ limit: Int?,
    _ write: (EncodingRecipe.Format) throws(RenderFailure) -> File
  ) throws(RenderFailure) -> File {
    guard let limit else { return try write(format) }
    return try SizeSearch(limit: limit).run(format) { format throws(RenderFailure) in
      try deadline.check()
      return try write(format)
    }
  }

  private func write(_ film: Film, as format: EncodingRecipe.Format) throws(RenderFailure) -> File {
    var webp = source == .webp ? EncodingRecipe.WebP(quality: format.quality ?? 100) : nil
    if case .webp(let named) = format { webp = named }
    let written: ImageFormat = webp == nil ? .gif : .webp
    try check(film.width, film.height, fit: written)
    return File(
      format: written,
      bytes: try encoding(written) { () throws(RasterFailure) in try film.encoded(asWebP: webp) })
  }

  /// What a recipe comes to for this source and this bitmap.
  private func concrete(_ format: EncodingRecipe.Format, _ image: Raster) -> EncodingRecipe.Format {
    switch format {
    case .jpeg where image.hasAlpha: return .png(.init())
    case .source(let quality):
      return concrete(source?.recipe(quality: quality) ?? .jpeg(.init(quality: quality)), image)
    default: return format
    }
  }

  private func write(_ picture: Picture, as format: EncodingRecipe.Format) throws(RenderFailure) -> File {
    let image = picture.image
    let recipe = concrete(format, image)
    let format = recipe.written ?? .png
    try check(image.width, image.height, fit: format)
    let bytes = try encoding(format) { () throws(RasterFailure) in
      try image.encoded(as: recipe, picture.profile)
    }
    // libheif without the encoder that was asked for takes another one, and says nothing.
    guard ImageFormat.sniff(bytes) == format else {
      throw RenderFailure(.encode, format.missingEncoder)
    }
    return File(format: format, bytes: bytes)
  }

  private func check(_ width: Int, _ height: Int, fit format: ImageFormat) throws(RenderFailure) {
    guard let longest = format.facts.longestWrittenSide, max(width, height) > longest else { return }
    throw RenderFailure(
      .limit,
      "\(width)x\(height) pixels do not fit into a \(format.writtenName), whose longest side is "
        + "\(longest); ask for PNG or a smaller size")
  }

  private func flattened(_ picture: Picture) throws(RenderFailure) -> Picture {
    picture.with(try encoding(.jpeg) { () throws(RasterFailure) in try picture.image.flattened() })
  }

  private func encoding<Result>(
    _ format: ImageFormat, _ work: () throws(RasterFailure) -> Result
  ) throws(RenderFailure) -> Result {
    do throws(RasterFailure) { return try work() } catch {
      let name = format.writtenName
      if error.isMemory {
        throw RenderFailure(.memory, "encoding the \(name) needs more memory than a worker may have")
      }
      let missing = ["nsupported codec", "class \"heifsave", "class \"gifsave"]
      if missing.contains(where: { error.detail.firstRange(of: $0) != nil }) {
        throw RenderFailure(.encode, format.missingEncoder)
      }
      throw RenderFailure(.encode, "the \(name) could not be written (\(error.detail))")
    }
  }
}

extension ImageFormat {
  fileprivate var missingEncoder: String {
    "this system's \(self == .gif ? "libvips" : "libheif") cannot write \(writtenName) (`preheat doctor` shows what it can); use jpeg or webp"
  }
}
