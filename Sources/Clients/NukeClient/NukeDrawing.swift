import ClientKit
import NukeCache
import Pictures

/// Turns Nuke's processors into drawing steps in pixels, by the rules of one version at one scale.
///
/// Facts: Nuke 10.0.0 to 13.2.0, `ImageProcessors+*.swift`; sizes as measured in `nuke-resize.tsv`.
package struct NukeDrawing {
  package var format: CacheKeyFormat

  package init(format: CacheKeyFormat) {
    self.format = format
  }

  private struct Impossible: Error {
    package var reason: String
  }

  package func drawing(of chain: NukeChain) -> ChainForm.Drawing {
    do throws(Impossible) {
      var steps: [RenderStep] = []
      if let thumbnail = chain.thumbnail { steps.append(.thumbnail(step(for: thumbnail))) }
      for processor in chain.processors { steps += try self.steps(for: processor) }
      return .steps(steps)
    } catch {
      return .impossible(reason: error.reason)
    }
  }

  private func steps(for processor: ImageProcessor) throws(Impossible) -> [RenderStep] {
    switch processor {
    case .resize(let resize):
      return [.resize(step(for: resize))]
    case .circle(let border):
      let border = try border.map(step(for:))
      // Since 12.1.1 the square is one (`byCroppingToSquare`).
      return [format.version < NukeVersion(12, 1, 1) ? .wideCircle(border: border) : .circle(border: border)]
    case .roundedCorners(let radius, let unit, let border):
      return [.roundedCorners(radius: format.pixels(radius, unit), border: try border.map(step(for:)))]
    case .gaussianBlur(let radius):
      return blur(radius: radius)
    case .composition(let members):
      var steps: [RenderStep] = []
      for member in members { steps += try self.steps(for: member) }
      return steps
    case .identified(let drawn, _):
      return try steps(for: drawn)
    case .coreImageFilter(let name, let identifier):
      return try filter(name, identifier: identifier)
    case .custom(let identifier):
      throw Impossible(
        reason: "of the processor \"\(identifier)\" only the identifier is known; "
          + "put a processor that draws the same before it: resize(width: 320) as \"\(identifier)\"")
    }
  }

  /// 10 to 12 use `CIGaussianBlur`, whose radius is the Gaussian's sigma; since 13.0.0 it is boxes.
  private func blur(radius: Int) -> [RenderStep] {
    guard format.version >= NukeVersion(13, 0, 0) else {
      return [.gaussianBlur(radius: Double(max(0, radius)), keepsOpaque: false)]
    }
    let isOld = format.version < NukeVersion(13, 2, 0)
    return boxBlur(radius: radius, isOld: isOld).map { [.boxBlur($0)] } ?? []
  }

  /// 13.0.0 and later: the radius is in pixels. Before 13.2.0 (`isOld`) it was at least 2 and the result always had
  /// alpha; since then 0 leaves the picture alone. vImage's sums overflow beyond a width of 2901
  /// (`ImageProcessors+GaussianBlur.swift`).
  private func boxBlur(radius: Int, isOld: Bool) -> RenderStep.BoxBlur? {
    if !isOld, radius <= 0 { return nil }
    let sigma = isOld ? max(Double(radius), 2) : Double(radius)
    return RenderStep.BoxBlur(width: RenderStep.BoxBlur.width(sigma: sigma), passes: 3, keepsOpaque: !isOld)
  }

  /// - Parameter identifier: belongs to parameters that only the app's code knows.
  private func filter(_ name: String, identifier: String?) throws(Impossible) -> [RenderStep] {
    guard let steps = CoreImageFilters.steps(for: name) else {
      throw Impossible(
        reason: "the Core Image filter \(name) is not drawn here; put processors that look like it before "
          + "its identifier: \(wayOut("coreImage(name: CISepiaTone)", name, identifier))")
    }
    if let identifier {
      throw Impossible(
        reason: "the parameters that go with \"\(identifier)\" are not known; if they are the filter's "
          + "defaults, write \(wayOut("coreImage(name: \(name))", name, identifier))")
    }
    return steps
  }

  private func wayOut(_ drawing: String, _ name: String, _ identifier: String?) -> String {
    let key = format.identifier(of: .coreImageFilter(name: name, identifier: identifier))
    return "\(drawing) as \"\(key)\""
  }

  private func step(for resize: ImageProcessor.Resize) -> RenderStep.Resize {
    let size = format.pixelSize(
      width: resize.target.size.width, height: resize.target.size.height, unit: resize.unit)
    return RenderStep.Resize(
      width: size.width, height: size.height,
      contentMode: mode(resize.contentMode), crop: resize.crop, upscale: resize.upscale,
      cropEnlarges: format.version < NukeVersion(13, 2, 0))
  }

  private func step(for thumbnail: ThumbnailOptions) -> RenderStep.Thumbnail {
    let size: RenderStep.Thumbnail.Size =
      switch thumbnail.size {
      case .maxPixelSize(let side):
        .maxPixelSize(format.version.major == 10 ? side : Double(Float(side)))
      case .flexible(let width, let height, let unit, let contentMode):
        flexible(format.pixelSize(width: width, height: height, unit: unit), contentMode)
      }
    return RenderStep.Thumbnail(
      size: size, fromImageIfAbsent: thumbnail.createThumbnailFromImageIfAbsent,
      fromImageAlways: thumbnail.createThumbnailFromImageAlways)
  }

  private func flexible(
    _ size: (width: Double, height: Double), _ contentMode: ImageProcessor.ContentMode
  ) -> RenderStep.Thumbnail.Size {
    .flexible(width: size.width, height: size.height, contentMode: mode(contentMode))
  }

  private func step(for border: ImageProcessor.Border) throws(Impossible) -> RenderStep.Border {
    guard case .rgba(let red, let green, let blue, let alpha) = border.color else {
      throw Impossible(reason: "the border's colour has no RGB form")
    }
    func clamp(_ component: Double) -> Double { min(max(component, 0), 1) }
    return RenderStep.Border(
      width: format.pixels(border.width, border.unit),
      color: RenderStep.Color(
        red: clamp(red), green: clamp(green), blue: clamp(blue), alpha: clamp(alpha)))
  }

  private func mode(_ mode: ImageProcessor.ContentMode) -> RenderStep.ContentMode {
    switch mode {
    case .aspectFill: .aspectFill
    case .aspectFit: .aspectFit
    }
  }
}
