import Pictures

/// A picture on its way through the steps.
struct Picture {
  var image: VipsImage
  /// The size to reckon with, upright. Larger than the image's own where that is an embedded thumbnail.
  var width: Int
  var height: Int
  /// How the image's pixels still have to be turned, 1 to 8; 1 for upright ones.
  var orientation = 1
  /// Something the user may want to know about how it was made.
  var note: String?

  /// The same way further on; `image` is upright.
  func with(_ image: VipsImage) -> Picture { Picture(image, note: note) }

  func upright() throws(VipsFailure) -> Picture {
    if orientation == 1 { return self }
    return Picture(image: try image.inMemory().turned(orientation), width: width, height: height, note: note)
  }
}

extension Picture {
  init(_ image: VipsImage, note: String?) {
    self.init(image: image, width: image.width, height: image.height, note: note)
  }
}
