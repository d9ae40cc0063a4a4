/// A picture on its way through the steps, upright.
struct Picture {
  var image: VipsImage
  /// The size to reckon with. Larger than the image's own where the decoder left pixels out.
  var width: Int
  var height: Int
  /// Something the user may want to know about how it was made.
  var note: String?

  init(_ image: VipsImage, note: String? = nil) {
    self.init(image, width: image.width, height: image.height, note: note)
  }

  init(_ image: VipsImage, width: Int, height: Int, note: String? = nil) {
    self.image = image
    self.width = width
    self.height = height
    self.note = note
  }

  /// The same way further on.
  func with(_ image: VipsImage) -> Picture { Picture(image, note: note) }
}
