/// One drawing operation on the upright picture, in pixels unless it says points. Whatever the client
/// calls it, versions and screen scales are resolved before it comes here.
package enum RenderStep: Codable, Hashable, Sendable {
  case thumbnail(Thumbnail)
  case resize(Resize)
  /// Crops to the centred square and rounds it. Always yields alpha.
  case circle(border: Border?)
  /// The same, but where the sides differ by an odd number one of them keeps a pixel more than the other.
  case wideCircle(border: Border?)
  /// Always yields alpha.
  case roundedCorners(radius: Double, border: Border?)
  /// `radius` is the Gaussian's sigma in pixels. With `keepsOpaque` an opaque picture stays one.
  case gaussianBlur(radius: Double, keepsOpaque: Bool)
  /// What both clients draw for a blur: averages of a square, one after another.
  case boxBlur(BoxBlur)
  /// Draws the picture anew at a size in points; may distort and enlarge.
  case resizing(Resizing)
  case cropping(Cropping)
  /// Rounds some corners or all, perhaps at another size and on a background.
  case cornerRounding(CornerRounding)
  /// A line inside the picture's edge.
  case edgeLine(EdgeLine)
  /// A colour in the picture's shape, and the picture over it with `fraction` of its strength.
  case overlay(color: Color, fraction: Double)
  /// A colour over all of the picture, mixed in linear light.
  case tint(Color)
  case colorControls(ColorControls)
  case blend(Blend)
  /// A colour over all of the picture, in a blend mode.
  case colorBlend(ColorBlend)
  case flip(horizontal: Bool, vertical: Bool)
  case rotation(Rotation)
  /// A part of the picture by its rectangle.
  case region(Region)
  /// The whole picture in the middle of a transparent canvas.
  case letterbox(Letterbox)
  /// Cuts the picture to a rounded rectangle inside its edges, perhaps with a line along it.
  case framing(Framing)
  case filter(ColorFilter)

  package enum ContentMode: String, Codable, Hashable, Sendable {
    case aspectFill, aspectFit
  }

  /// A target in pixels, not rounded. Sizes follow `ResizeGeometry`.
  package struct Resize: Codable, Hashable, Sendable {
    package var width: Double
    var height: Double
    var contentMode: ContentMode
    var crop: Bool
    var upscale: Bool
    /// A crop may enlarge even without `upscale` (Nuke before 13.2.0).
    var cropEnlarges: Bool

    package init(
      width: Double, height: Double, contentMode: ContentMode, crop: Bool, upscale: Bool, cropEnlarges: Bool
    ) {
      self.width = width
      self.height = height
      self.contentMode = contentMode
      self.crop = crop
      self.upscale = upscale
      self.cropEnlarges = cropEnlarges
    }
  }

  /// What ImageIO's thumbnail options ask for.
  package struct Thumbnail: Codable, Hashable, Sendable {
    package var size: Size
    package var fromImageIfAbsent: Bool
    package var fromImageAlways: Bool

    package enum Size: Codable, Hashable, Sendable {
      /// Limit of the longer side.
      case maxPixelSize(Double)
      /// The longer side follows from the picture's size scaled to fill or fit this one.
      case flexible(width: Double, height: Double, contentMode: ContentMode)
    }

    package init(size: Size, fromImageIfAbsent: Bool, fromImageAlways: Bool) {
      self.size = size
      self.fromImageIfAbsent = fromImageIfAbsent
      self.fromImageAlways = fromImageAlways
    }
  }

  /// A line stroked along the edge of the shape and clipped to it, so that half its width shows.
  package struct Border: Codable, Hashable, Sendable {
    package var width: Double
    package var color: Color

    package init(width: Double, color: Color) {
      self.width = width
      self.color = color
    }
  }

  /// sRGB, not premultiplied, components in 0...1.
  package struct Color: Codable, Hashable, Sendable {
    package var red, green, blue, alpha: Double

    package init(red: Double, green: Double, blue: Double, alpha: Double) {
      self.red = red
      self.green = green
      self.blue = blue
      self.alpha = alpha
    }
  }
}

extension RenderStep {
  /// A target in points. The client rounds in points, so the scale cannot be resolved before: sizes
  /// follow ``ResizingGeometry``.
  package struct Resizing: Codable, Hashable, Sendable {
    package var width: Double
    package var height: Double
    /// Nil: exactly the target, distorting.
    var contentMode: ContentMode?
    /// Pixels for a point.
    package var scale: Double
    /// A picture that is nowhere larger than the target stays as it is.
    package var keepsSmaller: Bool

    package init(
      width: Double, height: Double, contentMode: ContentMode?, scale: Double, keepsSmaller: Bool = false
    ) {
      self.width = width
      self.height = height
      self.contentMode = contentMode
      self.scale = scale
      self.keepsSmaller = keepsSmaller
    }
  }

  /// A part of the picture, in points. What it comes to follows ``CroppingGeometry``.
  package struct Cropping: Codable, Hashable, Sendable {
    var width: Double
    var height: Double
    /// Where the part lies: (0, 0) is the top left, (1, 1) the bottom right.
    var anchorX: Double
    var anchorY: Double
    /// Pixels for a point.
    var scale: Double

    package init(width: Double, height: Double, anchorX: Double, anchorY: Double, scale: Double) {
      self.width = width
      self.height = height
      self.anchorX = anchorX
      self.anchorY = anchorY
      self.scale = scale
    }
  }
}
