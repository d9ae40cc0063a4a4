extension RenderStep {
  package static func resizing(_ step: Resizing) -> RenderStep { RenderStep(step) }

  package static func thumbnail(
    size: Thumbnail.Size, fromImageIfAbsent: Bool, fromImageAlways: Bool, isUnturned: Bool = false
  ) -> RenderStep {
    RenderStep(
      Thumbnail(
        size: size, fromImageIfAbsent: fromImageIfAbsent, fromImageAlways: fromImageAlways,
        isUnturned: isUnturned ? true : nil))
  }

  package static func resize(
    width: Double, height: Double, contentMode: ContentMode, crop: Bool, upscale: Bool, cropEnlarges: Bool,
    isBitmap: Bool = false
  ) -> RenderStep {
    RenderStep(
      Resize(
        width: width, height: height, contentMode: contentMode, crop: crop, upscale: upscale,
        cropEnlarges: cropEnlarges, isBitmap: isBitmap))
  }

  package static func letterbox(width: Double, height: Double) -> RenderStep {
    RenderStep(Letterbox(width: width, height: height))
  }

  /// A target in pixels, not rounded.
  ///
  /// The sizes are those of `ImageProcessors.Resize` of Nuke 10.0.0 to 13.2.0. Pure arithmetic in Double, in the client's
  /// own order of operations, for its rounding shows in the results.
  package struct Resize: DrawingStep {
    package static let name = "resize"

    var width, height: Double
    var contentMode: ContentMode
    var crop: Bool
    var upscale: Bool
    /// A crop may enlarge even without `upscale` (Nuke before 13.2.0).
    var cropEnlarges: Bool
    /// The picture is a bitmap already, as before each of SDWebImage's transformers.
    var isBitmap = false

    /// A bitmap has whole pixels: those of a crop are cut, others rounded.
    package var isNothing: Bool {
      let isCut = crop && contentMode == .aspectFill
      let side = contentMode == .aspectFit || crop ? min(width, height) : max(width, height)
      return !(width.isFinite && height.isFinite && side >= (isCut ? 1 : 0.5))
    }
    package var isPlaced: Bool { true }

    /// The client has no picture either where this fails: a side below one pixel, a target that is not a number. (Before
    /// 13.2.0 the latter crashed the app.)
    package func size(of source: PixelSize) throws(RenderFailure) -> PixelSize {
      guard source.width > 0, source.height > 0, width.isFinite, height.isFinite else {
        throw RenderFailure(
          .size, "a picture of \(source.width) x \(source.height) cannot be resized to \(width) x \(height)")
      }
      guard let layout = layout(of: source) else { return source }
      let canvas = layout.canvas
      guard canvas.width >= 1, canvas.height >= 1, max(canvas.width, canvas.height) <= longestSide else {
        throw RenderFailure(
          .size,
          "resizing to \(width) x \(height) pixels would make a picture of \(canvas.width) x \(canvas.height)"
        )
      }
      return (Int(canvas.width), Int(canvas.height))
    }

    package func placement(of source: PixelSize) throws(RenderFailure) -> Placement? {
      let canvas = try size(of: source)
      guard let layout = layout(of: source) else { return nil }
      var placement = Placement(
        canvas, x: layout.x, y: layout.top(onCanvasOfHeight: canvas.height), width: layout.width,
        height: layout.height)
      placement.isBitmap = isBitmap
      return placement
    }

    /// Where the source is drawn.
    package struct Layout {
      /// Not rounded: the bitmap takes its whole pixels, but the source is centred on all of it.
      package var canvas: (width: Double, height: Double)
      /// The rectangle that the whole source fills; what lies outside of the canvas is cut. As Core Graphics has it, `y`
      /// counts upwards from the canvas' bottom edge.
      package var x, y, width, height: Double

      /// The distance of the upper edges of a bitmap and the rectangle; negative where cut.
      package func top(onCanvasOfHeight canvas: Int) -> Double { Double(canvas) - y - height }
    }

    /// Nil where the picture is passed on as it is.
    package func layout(of source: PixelSize) -> Layout? {
      let source = (width: Double(source.width), height: Double(source.height))
      let (horizontal, vertical) = (width / source.width, height / source.height)
      var scale = contentMode == .aspectFill ? max(horizontal, vertical) : min(horizontal, vertical)
      guard crop && contentMode == .aspectFill else {
        if scale >= 1 && !upscale { return nil }
        let canvas = (width: (source.width * scale).rounded(), height: (source.height * scale).rounded())
        return Layout(canvas: canvas, x: 0, y: 0, width: canvas.width, height: canvas.height)
      }
      var canvas = (width: width, height: height)
      if scale > 1 && !upscale && !cropEnlarges {
        // The target's shape at the picture's own resolution.
        canvas = ((width / scale).rounded(), (height / scale).rounded())
        scale = 1
      }
      let drawn = (width: source.width * scale, height: source.height * scale)
      return Layout(
        canvas: canvas, x: (canvas.width - drawn.width) / 2, y: (canvas.height - drawn.height) / 2,
        width: drawn.width, height: drawn.height)
    }
  }

  /// A thumbnail of ImageIO, as `ImageRequest.ThumbnailOptions` of Nuke 10.4.0 to 13.2.0 asks for it. What ImageIO does
  /// with the limit is inferred from its documentation: it keeps the aspect ratio and never enlarges.
  package struct Thumbnail: DrawingStep {
    package static let name = "thumbnail"

    var size: Size
    var fromImageIfAbsent: Bool
    var fromImageAlways: Bool
    /// The pixels stay as the file stores them, without its orientation. Nil for false, as in texts that are older.
    var isUnturned: Bool?

    package var keepsStoredPixels: Bool { isUnturned ?? false }

    package enum Size: Codable, Hashable, Sendable {
      /// Limit of the longer side.
      case maxPixelSize(Double)
      /// The longer side follows from the picture's size scaled to fill or fit this one.
      case flexible(width: Double, height: Double, contentMode: ContentMode)
    }

    package var isNothing: Bool {
      switch size {
      case .maxPixelSize(let side): side <= 0
      case .flexible(let width, let height, let contentMode): contentMode.isNothing(width, height)
      }
    }

    package var isPlaced: Bool { true }

    /// `kCGImageSourceCreateThumbnailFromImageAlways` and `kCGImageSourceCreateThumbnailFromImageIfAbsent`.
    package var embedded: EmbeddedUse { fromImageAlways ? .never : fromImageIfAbsent ? .prefer : .only }

    /// Never larger than the picture, both sides at least 1.
    package func size(of source: PixelSize) throws(RenderFailure) -> PixelSize {
      guard source.width > 0, source.height > 0 else {
        throw RenderFailure(.size, "a picture of \(source.width) x \(source.height) has no thumbnail")
      }
      let limit = try longerSideLimit(of: source)
      let longer = max(source.width, source.height)
      guard limit < Double(longer) else { return source }
      let scale = max(limit.rounded(.down), 1) / Double(longer)
      func scaled(_ side: Int) -> Int {
        // fits: no longer than the side was.
        max(1, Int((Double(side) * scale).rounded()))
      }
      return (scaled(source.width), scaled(source.height))
    }

    package func placement(of source: PixelSize) throws(RenderFailure) -> Placement? {
      var placement = Placement(all: try size(of: source))
      placement.isThumbnail = true
      return placement
    }

    /// The limit of the longer side, in pixels (`kCGImageSourceThumbnailMaxPixelSize`). May be beyond the picture's own
    /// size.
    func longerSideLimit(of source: PixelSize) throws(RenderFailure) -> Double {
      let limit: Double
      switch size {
      case .maxPixelSize(let side): limit = side
      case .flexible(let targetWidth, let targetHeight, let contentMode):
        let (width, height) = (Double(source.width), Double(source.height))
        let (horizontal, vertical) = (targetWidth / width, targetHeight / height)
        let scale = contentMode == .aspectFill ? max(horizontal, vertical) : min(horizontal, vertical)
        limit = max((width * scale).rounded(), (height * scale).rounded())
      }
      guard limit.isFinite, limit > 0 else {
        throw RenderFailure(.size, "a thumbnail whose longer side is \(limit) pixels cannot be made")
      }
      return limit
    }
  }

  /// A target in points; may distort and enlarge.
  ///
  /// The sizes are those of Kingfisher's `ResizingImageProcessor` (5.0.0 to 8.11.0, `SizeExtension` and `ImageDrawing`):
  /// rounded in points, half away from zero, then scaled. So the scale cannot be resolved before.
  package struct Resizing: DrawingStep {
    package static let name = "resizing"

    package var width, height: Double
    /// Nil: exactly the target, distorting.
    var contentMode: ContentMode?
    /// Pixels for a point.
    package var scale: Double
    /// A picture that is nowhere larger than the target stays as it is.
    var keepsSmaller: Bool
    /// As in ``Resize``.
    var isBitmap: Bool

    package init(
      width: Double, height: Double, contentMode: ContentMode?, scale: Double, keepsSmaller: Bool = false,
      isBitmap: Bool = false
    ) {
      self.width = width
      self.height = height
      self.contentMode = contentMode
      self.scale = scale
      self.keepsSmaller = keepsSmaller
      self.isBitmap = isBitmap
    }

    package var isNothing: Bool { (contentMode ?? .aspectFit).isNothing(width, height) }
    package var isPlaced: Bool { true }

    package func size(of source: PixelSize) throws(RenderFailure) -> PixelSize {
      guard let pixels = pixels(of: source) else { return source }
      guard let across = wholePixels(pixels.width), let down = wholePixels(pixels.height) else {
        throw RenderFailure(
          .size,
          "resizing \(source.width) x \(source.height) pixels to \(width) x \(height) points would make "
            + "\(pixels.width) x \(pixels.height) pixels")
      }
      return (across, down)
    }

    package func placement(of source: PixelSize) throws(RenderFailure) -> Placement? {
      let canvas = try size(of: source)
      guard let pixels = pixels(of: source) else { return nil }
      var placement = Placement(canvas, x: 0, y: 0, width: pixels.width, height: pixels.height)
      placement.isBitmap = isBitmap
      return placement
    }

    /// Not rounded; nil where the picture stays as it is.
    private func pixels(of source: PixelSize) -> (width: Double, height: Double)? {
      let (across, down) = (Double(source.width), Double(source.height))
      if keepsSmaller, across <= width * scale, down <= height * scale { return nil }
      let points = points(width: across / scale, height: down / scale)
      return (points.width * scale, points.height * scale)
    }

    /// Width over height decides which side of the target counts, and it is compared after rounding.
    private func points(width sourceWidth: Double, height sourceHeight: Double) -> (
      width: Double, height: Double
    ) {
      guard let contentMode else { return (width, height) }
      let ratio = sourceHeight == 0 ? 1 : sourceWidth / sourceHeight
      let fittingWidth = (ratio * height).rounded()
      let fittingHeight = (width / ratio).rounded()
      let takesWidth = contentMode == .aspectFit ? fittingWidth > width : fittingWidth < width
      return takesWidth ? (width, fittingHeight) : (fittingWidth, height)
    }
  }

  /// The whole picture in the middle of a transparent canvas, in pixels and rounded up.
  package struct Letterbox: DrawingStep {
    package static let name = "letterbox"

    var width, height: Double

    package var isNothing: Bool { min(width, height) <= 0 }
    package var isPlaced: Bool { true }

    package func size(of source: PixelSize) throws(RenderFailure) -> PixelSize {
      guard let across = wholePixels(width), let down = wholePixels(height) else {
        throw RenderFailure(.size, "there is no canvas of \(width) x \(height) pixels")
      }
      return (across, down)
    }

    package func placement(of source: PixelSize) throws(RenderFailure) -> Placement? {
      let canvas = try size(of: source)
      let factor = min(width / Double(source.width), height / Double(source.height))
      let (across, down) = (Double(source.width) * factor, Double(source.height) * factor)
      var placement = Placement(
        canvas, x: (width - across) / 2, y: (height - down) / 2, width: across, height: down)
      placement.isBitmap = true
      placement.isClear = !placement.coversCanvas
      return placement
    }
  }
}

/// Whether the thumbnail that cameras put into EXIF may stand for the picture.
package enum EmbeddedUse: String, Codable, Hashable, Sendable, CaseIterable {
  /// As the request's own flags say, which is how the app's picture looks: `createThumbnailFromImageAlways`
  /// (the default of Nuke's `ThumbnailOptions`) draws from all pixels; without it a good embedded thumbnail is
  /// taken. Chains that do not begin with a thumbnail are drawn from all pixels.
  case client
  /// All pixels, whatever the request says.
  case never
  /// The embedded thumbnail wherever it is good enough for the first step, which has to be a thumbnail or
  /// a resize; otherwise all pixels.
  case prefer
  /// The embedded thumbnail or nothing.
  case only
}
