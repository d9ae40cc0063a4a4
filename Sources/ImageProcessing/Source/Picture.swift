/// A picture on its way through the steps.
struct Picture {
  var image: VipsImage
  /// The size to reckon with, upright. Larger than the image's own where the decoder left pixels out.
  var width: Int
  var height: Int
  /// How the image's pixels still have to be turned, 1 to 8; 1 for upright ones. Only the first step of a
  /// chain meets others, and only one that draws by ``resampled(_:width:height:)``.
  var orientation = 1
  /// Something the user may want to know about how it was made.
  var note: String?

  init(_ image: VipsImage, note: String? = nil) {
    self.init(image, width: image.width, height: image.height, note: note)
  }

  init(_ image: VipsImage, width: Int, height: Int, orientation: Int = 1, note: String? = nil) {
    self.image = image
    self.width = width
    self.height = height
    self.orientation = orientation
    self.note = note
  }

  /// The same way further on; `image` is upright.
  func with(_ image: VipsImage) -> Picture { Picture(image, note: note) }

  func upright() throws(VipsFailure) -> Picture {
    if orientation == 1 { return self }
    return Picture(try image.inMemory().turned(orientation), width: width, height: height, note: note)
  }

  /// Pixels a side of the image when it is upright.
  var shown: (width: Int, height: Int) {
    orientation < 5 ? (image.width, image.height) : (image.height, image.width)
  }

  /// A part of the upright image drawn over exactly `width` x `height` pixels. The small result is what is turned.
  func resampled(_ part: PictureRegion, width: Int, height: Int) throws(VipsFailure) -> VipsImage {
    let (shownWidth, shownHeight) = shown
    let stored = part.stored(
      orientation: orientation, width: Double(shownWidth), height: Double(shownHeight))
    let isTurned = orientation >= 5
    return try image.resampled(
      left: stored.left, top: stored.top, regionWidth: stored.width, regionHeight: stored.height,
      width: isTurned ? height : width, height: isTurned ? width : height
    ).turned(orientation)
  }
}
