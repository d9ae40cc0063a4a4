extension RenderStep {
  /// A target in points. The client rounds in points, so the scale cannot be resolved before: sizes
  /// follow ``ResizingGeometry``.
  public struct Resizing: Codable, Hashable, Sendable {
    public var width: Double
    public var height: Double
    /// Nil: exactly the target, distorting.
    public var contentMode: ContentMode?
    /// Pixels for a point.
    public var scale: Double

    public init(width: Double, height: Double, contentMode: ContentMode?, scale: Double) {
      self.width = width
      self.height = height
      self.contentMode = contentMode
      self.scale = scale
    }
  }

  /// A part of the picture, in points. What it comes to follows ``CroppingGeometry``.
  public struct Cropping: Codable, Hashable, Sendable {
    public var width: Double
    public var height: Double
    /// Where the part lies: (0, 0) is the top left, (1, 1) the bottom right.
    public var anchorX: Double
    public var anchorY: Double
    /// Pixels for a point.
    public var scale: Double

    public init(width: Double, height: Double, anchorX: Double, anchorY: Double, scale: Double) {
      self.width = width
      self.height = height
      self.anchorX = anchorX
      self.anchorY = anchorY
      self.scale = scale
    }
  }
}
