/// Draws a border along the edge of an image (7.0.0 and later). Kingfisher's `BorderImageProcessor`.
public struct BorderImageProcessor: BuiltInImageProcessor, Hashable {
  public var border: Border

  public init(border: Border) {
    self.border = border
  }

  public var builtIn: BuiltInProcessor {
    .border(
      color: border.color, lineWidth: border.lineWidth, radius: border.radius, corners: border.roundingCorners
    )
  }
}
