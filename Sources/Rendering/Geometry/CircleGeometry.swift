/// The centred square that Nuke's `ImageProcessors.Circle` cuts out before it rounds the corners by half
/// a side.
public enum CircleGeometry {
  /// Origin and side in whole pixels; an odd rest goes to the right and the bottom (Nuke 12.1.1 and
  /// later take the floor, too).
  public static func crop(width: Int, height: Int) -> (x: Int, y: Int, side: Int) {
    let side = min(width, height)
    return ((width - side) / 2, (height - side) / 2, side)
  }
}
