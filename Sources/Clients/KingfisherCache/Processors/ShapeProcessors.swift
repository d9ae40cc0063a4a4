/// Draws an image at the size that a reference size gives by its mode; it may be enlarged. Kingfisher's `ResizingImageProcessor`.
public struct ResizingImageProcessor: BuiltInImageProcessor, Hashable {
  /// Points.
  public var referenceSize: BuiltInProcessor.Size
  /// `.none` distorts; `.aspectFill` crops nothing.
  public var mode: BuiltInProcessor.ContentMode

  /// A size in points, and what is done where the image has another shape.
  public init(referenceSize: BuiltInProcessor.Size, mode: BuiltInProcessor.ContentMode = .none) {
    self.referenceSize = referenceSize
    self.mode = mode
  }

  var builtIn: BuiltInProcessor {
    .resizing(referenceSize: referenceSize, mode: mode)
  }
}

/// Decodes an image no larger than needed: its longer side becomes at most that of `size`. Never enlarges. Kingfisher's `DownsamplingImageProcessor`.
public struct DownsamplingImageProcessor: BuiltInImageProcessor, Hashable {
  /// Points.
  public var size: BuiltInProcessor.Size

  /// A size in points.
  public init(size: BuiltInProcessor.Size) {
    self.size = size
  }

  var builtIn: BuiltInProcessor {
    .downsampling(size: size)
  }
}

/// Cuts a rectangle out of an image. Kingfisher's `CroppingImageProcessor`.
public struct CroppingImageProcessor: BuiltInImageProcessor, Hashable {
  /// Points.
  public var size: BuiltInProcessor.Size
  /// From (0, 0), top left, to (1, 1).
  public var anchor: BuiltInProcessor.Point

  /// A size in points, by default from the middle of the image.
  public init(
    size: BuiltInProcessor.Size, anchor: BuiltInProcessor.Point = BuiltInProcessor.Point(x: 0.5, y: 0.5)
  ) {
    self.size = size
    self.anchor = anchor
  }

  var builtIn: BuiltInProcessor {
    .cropping(size: size, anchor: anchor)
  }
}

/// Rounds the corners of an image. Kingfisher's `RoundCornerImageProcessor`.
public struct RoundCornerImageProcessor: BuiltInImageProcessor, Hashable {
  /// Points, or a part of the target's width or height (5.14.0 and later).
  public var radius: BuiltInProcessor.Radius
  /// Points; nil for the size of the image.
  public var targetSize: BuiltInProcessor.Size?
  /// The corners that are rounded.
  public var roundingCorners: BuiltInProcessor.RectCorner
  /// Drawn behind the corners; nil leaves them transparent.
  public var backgroundColor: KFCrossPlatformColor?

  /// A radius in points, or as a part of the target (5.14.0 and later).
  public init(
    radius: BuiltInProcessor.Radius, targetSize: BuiltInProcessor.Size? = nil,
    roundingCorners: BuiltInProcessor.RectCorner = .all, backgroundColor: KFCrossPlatformColor? = nil
  ) {
    self.radius = radius
    self.targetSize = targetSize
    self.roundingCorners = roundingCorners
    self.backgroundColor = backgroundColor
  }

  /// A radius in points.
  public init(
    cornerRadius: Double, targetSize: BuiltInProcessor.Size? = nil,
    roundingCorners: BuiltInProcessor.RectCorner = .all, backgroundColor: KFCrossPlatformColor? = nil
  ) {
    self.init(
      radius: .point(cornerRadius), targetSize: targetSize, roundingCorners: roundingCorners,
      backgroundColor: backgroundColor)
  }

  var builtIn: BuiltInProcessor {
    .roundCorner(
      radius: radius, targetSize: targetSize, corners: roundingCorners, backgroundColor: backgroundColor)
  }
}

/// Draws a border along the edge of an image (7.0.0 and later). Kingfisher's `BorderImageProcessor`.
public struct BorderImageProcessor: BuiltInImageProcessor, Hashable {
  /// The line and the corners it follows.
  public var border: Border

  /// A border along the edge.
  public init(border: Border) {
    self.border = border
  }

  var builtIn: BuiltInProcessor {
    .border(
      color: border.color, lineWidth: border.lineWidth, radius: border.radius, corners: border.roundingCorners
    )
  }
}

/// A border along the edge of an image: Kingfisher's `Border`.
public struct Border: Hashable, Sendable {
  /// The colour of the line.
  public var color: KFCrossPlatformColor
  /// Points.
  public var lineWidth: Double
  /// The radius of the corners that the line follows.
  public var radius: BuiltInProcessor.Radius
  /// The corners that are round; the line has a right angle at the others.
  public var roundingCorners: BuiltInProcessor.RectCorner

  /// Kingfisher's own defaults: a black line of four points and square corners.
  public init(
    color: KFCrossPlatformColor = .gray(white: 0, alpha: 1), lineWidth: Double = 4,
    radius: BuiltInProcessor.Radius = .point(0), roundingCorners: BuiltInProcessor.RectCorner = .all
  ) {
    self.color = color
    self.lineWidth = lineWidth
    self.radius = radius
    self.roundingCorners = roundingCorners
  }
}
