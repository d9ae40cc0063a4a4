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
  ///   - width, height: of the upright picture.
  func stored(orientation: Int, width pictureWidth: Double, height pictureHeight: Double) -> PictureRegion {
    let right = pictureWidth - left - width
    let bottom = pictureHeight - top - height
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
