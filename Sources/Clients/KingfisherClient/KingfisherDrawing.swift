import ClientKit
import KingfisherCache
import Pictures

/// What the workers draw for Kingfisher's processors.
///
/// Facts: Kingfisher 5.0.0 to 8.11.0, `ImageProcessor.swift`, `ImageDrawing.swift` and `Filter.swift`; how
/// near the drawing comes is told in `docs/processors.md`.
package struct KingfisherDrawing {
  package var version: KingfisherVersion
  /// The request's `scaleFactor`: pixels for a point. 1 unless the app sets it.
  package var scaleFactor: Double

  package init(version: KingfisherVersion, scaleFactor: Double) {
    self.version = version
    self.scaleFactor = scaleFactor
  }

  private struct Impossible: Error {
    package var reason: String
  }

  package func drawing(of processors: [BuiltInProcessor]) -> ChainForm.Drawing {
    do throws(Impossible) {
      var steps: [RenderStep] = []
      for (index, processor) in processors.enumerated() {
        steps += try self.steps(for: processor, isFirst: index == 0)
      }
      return .steps(steps)
    } catch {
      return .impossible(reason: error.reason)
    }
  }

  /// - Parameter isFirst: it is given the file's bytes; later ones are given a decoded image.
  private func steps(
    for processor: BuiltInProcessor, isFirst: Bool
  ) throws(Impossible) -> [RenderStep] {
    switch processor {
    case .default: []
    case .resizing(let size, let mode): [.resizing(resizing(size, mode))]
    case .downsampling(let size): [downsampling(size, isFirst: isFirst)]
    case .cropping(let size, let anchor):
      [
        .cropping(
          RenderStep.Cropping(
            width: size.width, height: size.height, anchorX: anchor.x, anchorY: anchor.y, scale: scaleFactor))
      ]
    case .roundCorner(let radius, let targetSize, let corners, let backgroundColor):
      [
        .cornerRounding(
          RenderStep.CornerRounding(
            radius: self.radius(radius), corners: RenderStep.Corners(rawValue: corners.rawValue),
            target: targetSize.map { resizing($0, .none) }, background: backgroundColor.map(color)))
      ]
    case .border(let color, let lineWidth, let radius, let corners):
      [.edgeLine(edgeLine(self.color(color), lineWidth, radius, corners))]
    case .blur(let radius): [.boxBlur(boxBlur(radius: radius))]
    case .overlay(let color, let fraction): [.overlay(color: self.color(color), fraction: fraction)]
    case .tint(let color): [.tint(self.color(color))]
    case .colorControls(let brightness, let contrast, let saturation, let inputEV):
      [controls(brightness, contrast, saturation, inputEV)]
    case .blackWhite: [controls(0, 1, 0, 0.7)]
    case .blend(let mode, let alpha, let backgroundColor):
      [
        .blend(
          RenderStep.Blend(
            mode: RenderStep.BlendMode(rawValue: mode.rawValue) ?? .normal, alpha: alpha,
            background: backgroundColor.map(color)))
      ]
    case .identified(let drawn, _): try steps(for: drawn, isFirst: isFirst)
    case .custom(let identifier):
      throw Impossible(
        reason: "of the processor \"\(identifier)\" only the identifier is known; put a processor that "
          + "draws the same before it: downsampling(size: 320x320) as \"\(identifier)\"")
    }
  }

  /// 5.0.0 to 8.11.0, `BlurImageProcessor` and `blurred(withRadius:)`: the radius times the scale factor is one in
  /// pixels, of at least 2. From 0.5 to 1.5 it convolves twice but keeps the result of the first time, as its two
  /// buffers change places.
  private func boxBlur(radius points: Double) -> RenderStep.BoxBlur {
    let radius = points * scaleFactor
    let sigma = radius.isNaN ? 2 : max(radius, 2)
    return RenderStep.BoxBlur(
      width: RenderStep.BoxBlur.width(sigma: sigma), passes: radius < 1.5 ? 1 : 3, keepsOpaque: true)
  }

  private func resizing(
    _ size: BuiltInProcessor.Size, _ mode: BuiltInProcessor.ContentMode
  ) -> RenderStep.Resizing {
    let contentMode: RenderStep.ContentMode? =
      switch mode {
      case .none: nil
      case .aspectFit: .aspectFit
      case .aspectFill: .aspectFill
      }
    return RenderStep.Resizing(
      width: size.width, height: size.height, contentMode: contentMode, scale: scaleFactor)
  }

  /// Only the larger of the two numbers counts. Before 5.3.0 an image that was decoded already was
  /// resized to exactly the size.
  private func downsampling(_ size: BuiltInProcessor.Size, isFirst: Bool) -> RenderStep {
    if !isFirst, version < KingfisherVersion(5, 3, 0) { return .resizing(resizing(size, .none)) }
    let side = max(size.width, size.height) * scaleFactor
    return .thumbnail(
      RenderStep.Thumbnail(size: .maxPixelSize(side), fromImageIfAbsent: true, fromImageAlways: true))
  }

  private func radius(_ radius: BuiltInProcessor.Radius) -> RenderStep.Radius {
    switch radius {
    case .point(let points): .pixels(points * scaleFactor)
    case .widthFraction(let fraction): .widthFraction(fraction)
    case .heightFraction(let fraction): .heightFraction(fraction)
    }
  }

  /// The client sets the colour with its alpha and then the context's alpha to the same, so that it
  /// counts twice.
  private func edgeLine(
    _ color: RenderStep.Color, _ lineWidth: Double, _ radius: BuiltInProcessor.Radius,
    _ corners: BuiltInProcessor.RectCorner
  ) -> RenderStep.EdgeLine {
    var color = color
    color.alpha *= color.alpha
    return RenderStep.EdgeLine(
      width: lineWidth * scaleFactor, color: color, radius: self.radius(radius),
      corners: RenderStep.Corners(rawValue: corners.rawValue))
  }

  private func controls(
    _ brightness: Double, _ contrast: Double, _ saturation: Double, _ exposure: Double
  ) -> RenderStep {
    .colorControls(
      RenderStep.ColorControls(
        brightness: brightness, contrast: contrast, saturation: saturation, exposure: exposure))
  }

  /// Limited to sRGB, as the results are.
  private func color(_ color: BuiltInProcessor.Color) -> RenderStep.Color {
    func clamp(_ component: Double) -> Double { min(max(component, 0), 1) }
    return switch color {
    case .rgba(let red, let green, let blue, let alpha):
      RenderStep.Color(red: clamp(red), green: clamp(green), blue: clamp(blue), alpha: clamp(alpha))
    case .gray(let white, let alpha):
      RenderStep.Color(red: clamp(white), green: clamp(white), blue: clamp(white), alpha: clamp(alpha))
    }
  }
}
