import ClientKit
import Foundation
import Pictures
import SDWebImageCache

/// What the workers draw for SDWebImage's thumbnail sizes and transformers.
///
/// Facts: SDWebImage 5.0.0 to 5.21.5, `UIImage+Transform.m` and `SDImageIOAnimatedCoder.m`; how near the drawing comes
/// is told in `docs/processors.md`.
struct SDWebImageDrawing {
  var version: SDWebImageVersion
  /// The image's scale: pixels for a point.
  var scale: Double

  private struct Impossible: Error {
    var reason: String
  }

  func drawing(of request: SDWebImageRequest) -> ChainForm.Drawing {
    do throws(Impossible) {
      var steps = request.thumbnail.map { self.steps(for: $0) } ?? []
      for transformer in request.transformers { steps += try self.steps(for: transformer) }
      return .steps(steps)
    } catch {
      return .impossible(reason: error.reason)
    }
  }

  /// In pixels. A picture that is nowhere larger stays as it is, and so does any at a size without a width or a height.
  private func steps(for thumbnail: SDImageThumbnail) -> [RenderStep] {
    guard thumbnail.width > 0, thumbnail.height > 0 else { return [] }
    if thumbnail.preservesAspectRatio {
      return [
        .thumbnail(
          RenderStep.Thumbnail(
            size: .flexible(width: thumbnail.width, height: thumbnail.height, contentMode: .aspectFit),
            fromImageIfAbsent: true, fromImageAlways: true))
      ]
    }
    return [
      .resizing(
        RenderStep.Resizing(
          width: thumbnail.width, height: thumbnail.height, contentMode: nil, scale: 1, keepsSmaller: true))
    ]
  }

  private func steps(for transformer: SDImageTransformer) throws(Impossible) -> [RenderStep] {
    switch transformer {
    case .resizing(let size, let mode): [resizing(size, mode)]
    case .cropping(let rect):
      [
        .region(
          RenderStep.Region(
            left: rect.x * scale, top: rect.y * scale, width: rect.width * scale, height: rect.height * scale)
        )
      ]
    case .roundCorner(let radius, let corners, let width, let color):
      [.framing(framing(radius: radius, corners: corners, borderWidth: width, borderColor: color))]
    case .flipping(let horizontal, let vertical): [.flip(horizontal: horizontal, vertical: vertical)]
    case .rotation(let angle, let fits):
      [.rotation(RenderStep.Rotation(cosine: cos(angle), sine: sin(angle), fitsCanvas: fits))]
    case .tint(let color, let mode): tint(color, mode)
    case .blur(let radius): blur(radius)
    case .filter(let name): try filter(name)
    case .identified(let drawn, _): try steps(for: drawn)
    case .custom(let key):
      throw Impossible(
        reason:
          "of the transformer \"\(key)\" only the key is known; put a transformer that draws the same before it: "
          + "resize(size: 320x320, scaleMode: aspectFill) as \"\(key)\"")
    }
  }

  private func resizing(
    _ size: SDImageTransformer.Size, _ mode: SDImageTransformer.ScaleMode
  ) -> RenderStep {
    switch mode {
    case .fill:
      return .resizing(
        RenderStep.Resizing(width: size.width, height: size.height, contentMode: nil, scale: scale))
    case .aspectFit:
      return .letterbox(RenderStep.Letterbox(width: size.width * scale, height: size.height * scale))
    case .aspectFill:
      // A bitmap has room for the last fraction of a pixel, but not for the noise of a multiplication.
      func side(_ points: Double) -> Double { (points * scale - 1e-6).rounded(.up) }
      return .resize(
        RenderStep.Resize(
          width: side(size.width), height: side(size.height), contentMode: .aspectFill, crop: true,
          upscale: true, cropEnlarges: true))
    }
  }

  /// The picture is clipped inside the border's width, and the border is stroked half a pixel further in. Its radius is
  /// the corner's without half the scale, in points, whatever the width.
  private func framing(
    radius: Double, corners: SDImageTransformer.RectCorner, borderWidth: Double,
    borderColor: SDImageTransformer.Color?
  ) -> RenderStep.Framing {
    let width = borderWidth * scale
    let bits = RenderStep.Corners(rawValue: Int(corners.rawValue & 15))
    var line: RenderStep.Framing.Line?
    if let borderColor, borderWidth > 0 {
      let middle = radius > scale / 2 ? (radius - scale / 2) * scale : 0
      line = RenderStep.Framing.Line(
        inset: width.rounded(.down) + 0.5 - width / 2, width: width,
        radius: middle > 0 ? middle + width / 2 : 0, color: color(borderColor))
    }
    return RenderStep.Framing(inset: width, radius: radius * scale, corners: bits, line: line)
  }

  /// Before 5.20.0 a tint was laid atop of the picture. Since then it takes the picture's place in its shape, unless
  /// another mode is given. A colour that is not seen changes nothing.
  private func tint(
    _ color: SDImageTransformer.Color, _ mode: SDImageTransformer.BlendMode?
  ) -> [RenderStep] {
    guard color.alpha > Double(Float.ulpOfOne) else { return [] }
    let usual: SDImageTransformer.BlendMode = version.tintsByMode ? .sourceIn : .sourceAtop
    let mode = RenderStep.BlendMode(rawValue: (mode ?? usual).rawValue) ?? .normal
    return [.colorBlend(RenderStep.ColorBlend(mode: mode, color: self.color(color)))]
  }

  /// Boxes of half the width that comes near a Gaussian of this sigma, since the client halves it; the sigma is at least
  /// 2. vImage's sums overflow beyond a width of 2901.
  private func blur(_ radius: Double) -> [RenderStep] {
    guard radius > Double(Float.ulpOfOne) else { return [] }
    let sigma = max(radius * scale, 2)
    let width = ((sigma * 3 * (2 * Double.pi).squareRoot() / 4 + 0.5) / 2).rounded(.down)
    let passes = radius * scale < 0.5 ? 1 : radius * scale < 1.5 ? 2 : 3
    return [
      .boxBlur(
        RenderStep.BoxBlur(width: width < 2901 ? Int(width) | 1 : 2901, passes: passes, keepsOpaque: true))
    ]
  }

  private func filter(_ name: String) throws(Impossible) -> [RenderStep] {
    if let steps = CoreImageFilters.steps(for: name) { return steps }
    let key = SDImageTransformer.filter(name: name).key(version)
    throw Impossible(
      reason:
        "the Core Image filter \(name) is not drawn here; put a transformer that looks like it before its key: "
        + "filter(name: CISepiaTone) as \"\(key)\"")
  }

  private func color(_ color: SDImageTransformer.Color) -> RenderStep.Color {
    RenderStep.Color(red: color.red, green: color.green, blue: color.blue, alpha: color.alpha)
  }
}
