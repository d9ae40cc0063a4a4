import ClientKit
import KingfisherCache
import Text

extension KingfisherClient {
  package func code(named name: String, chain: Chain, hasIDs: Bool) -> RequestCode {
    let code = KingfisherCode(version: format.version, style: format.style)
    let processors = chain.processors
    return RequestCode(
      text: code.function(name, processors: processors, hasIDs: hasIDs),
      imports: ["Kingfisher"] + (format.style == .builder ? ["SwiftUI"] : [])
        + (code.needsUIKit(processors) ? ["UIKit"] : []),
      accessory: code.needsAccessory(processors) ? KingfisherCode.accessory : nil)
  }
}

/// Kingfisher's requests in Swift: `KFImage` where the job's style is the builder's, else `kf.setImage`.
private struct KingfisherCode {
  let version: KingfisherVersion
  let style: KingfisherKeyFormat.Style

  /// A type of the app's own processors is not known here; the identifier is all that a key has of it.
  static let accessory = """
    /// Stands in for a processor of the app's own.
    struct WarmedProcessor: ImageProcessor {
      let identifier: String

      func process(
        item: ImageProcessItem, options: KingfisherParsedOptionsInfo
      ) -> KFCrossPlatformImage? {
        DefaultImageProcessor.default.process(item: item, options: options)
      }
    }
    """

  func needsUIKit(_ processors: [BuiltInProcessor]) -> Bool {
    style == .options || processors.contains(where: hasColor)
  }

  func needsAccessory(_ processors: [BuiltInProcessor]) -> Bool {
    processors.contains {
      switch $0 {
      case .custom, .identified: true
      default: false
      }
    }
  }

  func function(_ name: String, processors: [BuiltInProcessor], hasIDs: Bool) -> String {
    let codes = processors.map(code)
    // `ImageResource` until 7.7, when Xcode 15 took the name.
    let resource = version >= KingfisherVersion(7, 8, 0) ? "KF.ImageResource" : "ImageResource"
    let key = hasIDs ? ", cacheKey: source.id" : ""
    let made = "URL(string: source.url).map { \(resource)(downloadURL: $0\(key)) }"
    switch style {
    case .builder:
      let lines =
        ["static func \(name)(_ source: Source) -> KFImage {", "  KFImage.resource(\(made))"]
        + codes.map { "    .appendProcessor(\($0))" }
      return (lines + ["}"]).joined(separator: "\n")
    case .options:
      let options =
        codes.isEmpty ? "" : ",\n    options: [.processor(\(codes.joined(separator: " |> ")))]"
      return """
        @MainActor static func \(name)(_ source: Source, on view: UIImageView) {
          view.kf.setImage(
            with: \(made)\(options))
        }
        """
    }
  }

  private func code(_ processor: BuiltInProcessor) -> String {
    switch processor {
    case .default: "DefaultImageProcessor.default"
    case .resizing(let size, let mode):
      "ResizingImageProcessor(referenceSize: \(code(size))\(mode == .none ? "" : ", mode: .\(mode.rawValue)"))"
    case .downsampling(let size): "DownsamplingImageProcessor(size: \(code(size)))"
    case .roundCorner(let radius, let target, let corners, let background):
      "RoundCornerImageProcessor(\(list([code(radius), target.map { "targetSize: \(code($0))" }, code(corners), background.map { "backgroundColor: \(code($0))" }])))"
    case .blur(let radius): "BlurImageProcessor(blurRadius: \(number(radius)))"
    case .overlay(let color, let fraction):
      "OverlayImageProcessor(overlay: \(code(color)), fraction: \(number(fraction)))"
    case .tint(let color): "TintImageProcessor(tint: \(code(color)))"
    case .colorControls(let brightness, let contrast, let saturation, let inputEV):
      "ColorControlsProcessor(brightness: \(number(brightness)), contrast: \(number(contrast)), "
        + "saturation: \(number(saturation)), inputEV: \(number(inputEV)))"
    case .blackWhite: "BlackWhiteProcessor()"
    case .cropping(let size, let anchor):
      "CroppingImageProcessor(size: \(code(size)), anchor: CGPoint(x: \(number(anchor.x)), y: \(number(anchor.y))))"
    case .blend(let mode, let alpha, let background):
      "BlendImageProcessor(\(list(["blendMode: CGBlendMode(rawValue: \(mode)) ?? .normal", "alpha: \(number(alpha))", background.map { "backgroundColor: \(code($0))" }])))"
    case .border(let color, let width, let radius, let corners):
      "BorderImageProcessor(border: Border(\(list(["color: \(code(color))", "lineWidth: \(number(width))", "radius: \(value(radius))", code(corners)]))))"
    case .custom(let identifier), .identified(_, let identifier):
      "WarmedProcessor(identifier: \(SwiftLiteral.string(identifier)))"
    }
  }

  private func number(_ value: Double) -> String { NumberText.plain(value) }

  private func list(_ parts: [String?]) -> String { parts.compactMap { $0 }.joined(separator: ", ") }

  private func code(_ size: BuiltInProcessor.Size) -> String {
    SwiftLiteral.size(width: size.width, height: size.height)
  }

  private func code(_ radius: BuiltInProcessor.Radius) -> String {
    if case .point(let points) = radius { return "cornerRadius: \(number(points))" }
    return "radius: \(value(radius))"
  }

  private func value(_ radius: BuiltInProcessor.Radius) -> String {
    switch radius {
    case .widthFraction(let part): ".widthFraction(\(number(part)))"
    case .heightFraction(let part): ".heightFraction(\(number(part)))"
    case .point(let points): ".point(\(number(points)))"
    }
  }

  private func code(_ corners: BuiltInProcessor.RectCorner) -> String? {
    guard corners != .all else { return nil }
    let names: [(BuiltInProcessor.RectCorner, String)] = [
      (.topLeft, ".topLeft"), (.topRight, ".topRight"), (.bottomLeft, ".bottomLeft"),
      (.bottomRight, ".bottomRight"),
    ]
    let present = names.filter { corners.contains($0.0) }.map(\.1)
    return "roundingCorners: [\(present.joined(separator: ", "))]"
  }

  private func code(_ color: BuiltInProcessor.Color) -> String {
    switch color {
    case .rgba(let red, let green, let blue, let alpha):
      SwiftLiteral.color(red: red, green: green, blue: blue, alpha: alpha)
    case .gray(let white, let alpha): "UIColor(white: \(number(white)), alpha: \(number(alpha)))"
    }
  }

  private func hasColor(_ processor: BuiltInProcessor) -> Bool {
    switch processor {
    case .overlay, .tint, .border: true
    case .roundCorner(_, _, _, let color), .blend(_, _, let color): color != nil
    default: false
    }
  }
}
