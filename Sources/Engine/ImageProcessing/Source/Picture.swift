import Pictures

/// A picture on its way through the steps.
struct Picture {
  var image: VipsImage
  /// The size to reckon with, upright. Larger than the image's own where the decoder left pixels out.
  var width: Int
  var height: Int
  /// How the image's pixels still have to be turned, 1 to 8; 1 for upright ones. Only the first step of a
  /// chain meets others, and only one that takes stored rows, which draws by ``resampled(_:to:)``.
  var orientation = 1
  /// Something the user may want to know about how it was made.
  var note: String?

  /// The same way further on; `image` is upright.
  func with(_ image: VipsImage) -> Picture { Picture(image, note: note) }

  func upright() throws(VipsFailure) -> Picture {
    if orientation == 1 { return self }
    return Picture(image: try image.inMemory().turned(orientation), width: width, height: height, note: note)
  }

  /// Pixels a side of the image when it is upright.
  var shown: PixelSize {
    orientation < 5 ? (image.width, image.height) : (image.height, image.width)
  }

  /// A part of the upright image drawn over exactly `width` x `height` pixels. The small result is what is turned.
  func resampled(_ part: PictureRegion, to size: PixelSize) throws(VipsFailure) -> VipsImage {
    try image.resampled(
      part.stored(orientation: orientation, in: shown),
      to: orientation < 5 ? size : (size.height, size.width)
    ).turned(orientation)
  }
}

/// A part of a picture, in pixels and fractions of them, counted from the upper left corner.
struct PictureRegion: Hashable {
  var left: Double
  var top: Double
  var width: Double
  var height: Double

  /// Where the part of an upright picture lies among the pixels as they are stored.
  ///
  /// - Parameters:
  ///   - orientation: of the file, 1 to 8 (Exif 2.32, tag 274).
  ///   - size: of the upright picture.
  func stored(orientation: Int, in size: PixelSize) -> PictureRegion {
    let right = Double(size.width) - left - width
    let bottom = Double(size.height) - top - height
    return switch orientation {
    case 2: PictureRegion(left: right, top: top, width: width, height: height)
    case 3: PictureRegion(left: right, top: bottom, width: width, height: height)
    case 4: PictureRegion(left: left, top: bottom, width: width, height: height)
    case 5: PictureRegion(left: top, top: left, width: height, height: width)
    case 6: PictureRegion(left: top, top: right, width: height, height: width)
    case 7: PictureRegion(left: bottom, top: right, width: height, height: width)
    case 8: PictureRegion(left: bottom, top: left, width: height, height: width)
    default: self
    }
  }
}

extension Picture {
  init(_ image: VipsImage, note: String?) {
    self.init(image: image, width: image.width, height: image.height, note: note)
  }
}

extension PictureRegion {
  init(all size: PixelSize) {
    self.init(left: 0, top: 0, width: Double(size.width), height: Double(size.height))
  }
}
