/// A picture on its way through the steps.
struct Picture {
  var image: Raster
  /// The size to reckon with, upright. Larger than the image's own where that is an embedded thumbnail.
  var width: Int
  var height: Int
  /// How the image's pixels still have to be turned, 1 to 8; 1 for upright ones.
  var orientation = 1
  /// A small profile of the space that an upright picture's numbers are meant in; empty for sRGB and grey.
  var profile: [UInt8] = []
  /// Something the user may want to know about how it was made.
  var note: String?

  /// The same way further on; `image` is upright.
  func with(_ image: Raster) -> Picture {
    var picture = Picture(image, note: note)
    picture.profile = profile
    return picture
  }

  func upright() throws(RasterFailure) -> Picture {
    if orientation == 1 { return self }
    var picture = self
    picture.image = try image.inMemory().turned(orientation)
    picture.orientation = 1
    return picture
  }
}

extension Picture {
  init(_ image: Raster, note: String?) {
    self.init(image: image, width: image.width, height: image.height, note: note)
  }
}
