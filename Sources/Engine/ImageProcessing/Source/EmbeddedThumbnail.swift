import Pictures

/// The thumbnail that cameras put into EXIF. Editors often leave a stale one behind, so it is used
/// only if it has the picture's shape.
enum EmbeddedThumbnail {
  /// Why there is none in a file, or in its beginning.
  static let absence = "there is no embedded thumbnail"

  /// How far width to height may differ from the picture's. In 154 files from many cameras a quarter had
  /// a thumbnail off by more: letterboxed, or of another picture.
  private static let tolerance = 0.01
  /// Pixels that rounding may take from the size that is wanted.
  private static let rounding = 0.5

  /// Decoded and upright, or nil and the reason why it cannot be used.
  ///
  /// - Parameters:
  ///   - decoder: the picture it belongs to.
  ///   - scale: pixels that are wanted for one of the full picture; a thumbnail with fewer is refused.
  static func search(
    in decoder: PictureDecoder, scale: Double, limits: RenderLimits
  ) throws -> (image: Raster?, reason: String) {
    func refused(_ why: String) -> (Raster?, String) { (nil, "the embedded thumbnail was not used: \(why)") }
    guard let bytes = try decoder.embeddedThumbnail(), let info = decoder.info else { return (nil, absence) }
    guard ImageFormat.sniff(bytes) == .jpeg else { return refused("it is not a JPEG") }
    guard let header = try? ImageHeader.read(bytes),
      (try? limits.check(header, byteCount: bytes.count)) != nil,
      let stored = try? EncodedPicture(bytes, header: header, isStrict: false, isHead: false)
        .reading({ try $0.image().inMemory() })
    else { return refused("it does not decode") }
    // Without a profile of its own its numbers are those of the picture; beside CMYK they are sRGB.
    let profile = stored.rowFormat.profile.isEmpty ? try decoder.profile() : []
    let meant = profile.isEmpty ? stored : try? stored.meant(in: profile)
    let isForeign = meant?.hasForeignProfile == true
    guard !isForeign || profile.dropFirst(16).starts(with: "CMYK".utf8) else {
      return refused("the picture's colour profile does not fit it")
    }
    guard let thumbnail = try? (isForeign ? stored : meant)?.drawable().inMemory() else {
      return refused("it does not decode")
    }
    guard thumbnail.bands > 2 || decoder.isGrey else { return refused("it is grey, and the picture is not") }
    guard thumbnail.width <= info.width, thumbnail.height <= info.height else {
      return refused("its \(thumbnail.width)x\(thumbnail.height) pixels are more than the picture's")
    }
    let own = Double(thumbnail.width) / Double(thumbnail.height)
    let real = Double(info.width) / Double(info.height)
    guard abs(own / real - 1) <= tolerance else {
      return refused("its shape is \(thumbnail.width)x\(thumbnail.height), not the picture's")
    }
    guard Double(thumbnail.width) + rounding >= Double(info.width) * scale,
      Double(thumbnail.height) + rounding >= Double(info.height) * scale
    else {
      return refused("its \(thumbnail.width)x\(thumbnail.height) pixels are too few")
    }
    // Turned like the picture it was made for, whatever its own tags say.
    guard let upright = try? thumbnail.turned(info.orientation) else { return refused("it does not decode") }
    return (upright, "")
  }
}

extension PictureDecoder {
  /// What to draw from: the embedded thumbnail where it is allowed and good enough, or nil and a note
  /// for the full picture.
  ///
  /// - Throws: ``RenderFailure`` with the code `size` where only an embedded one would do and there is none;
  ///   `truncated` where the rest of the file is needed.
  func embeddedStart(
    for first: RenderStep?, _ use: EmbeddedUse, _ limits: RenderLimits
  ) throws -> (thumbnail: Picture?, note: String?) {
    let use = use == .client ? first?.value.embedded ?? .never : use
    guard use != .never, let first, first.value.isPlaced else {
      try requireRest()
      guard use == .only else { return (nil, nil) }
      throw RenderFailure(
        .size,
        "only a chain that begins with a thumbnail or a resize can be drawn from the embedded thumbnail")
    }
    let placement = try first.value.placement(of: (width, height))
    let scale = placement.map { max($0.width / Double(width), $0.height / Double(height)) } ?? 1
    let (image, reason) = try EmbeddedThumbnail.search(in: self, scale: scale, limits: limits)
    if let image {
      // The rest of the file has to be there all the same, unless it was left out on purpose.
      if !isHead { try requireWhole() }
      return (
        Picture(image: image, width: width, height: height, note: "drawn from the embedded thumbnail"), nil
      )
    }
    // It may stand farther back.
    if reason == EmbeddedThumbnail.absence { try requireRest() }
    guard use == .prefer else {
      throw RenderFailure(.size, "\(reason), and the request allows none from the full image")
    }
    try requireRest()
    return (nil, "drawn from the full image: \(reason)")
  }

  private func requireRest() throws(RenderFailure) {
    if isHead { throw RenderFailure(.truncated, "only the head of the file is here, and the rest is needed") }
  }
}
