import ClientKit
import SDWebImageCache
import Text

extension SDWebImageClient {
  package func code(named name: String, chain: Chain, scales: [Double], hasIDs: Bool) -> RequestCode {
    let request = SDWebImageRequest(chain)
    let code = SDWebImageCode(
      request: request, name: name, scale: scales.first ?? 1, stores: stores, version: version, hasIDs: hasIDs
    )
    return RequestCode(
      text: code.text, imports: ["SDWebImage", "UIKit"],
      accessory: request.transformers.contains(where: \.isAppsOwn) ? SDWebImageCode.accessory : nil)
  }
}

/// SDWebImage's requests in Swift: a context, and `sd_setImage` with it.
///
/// Facts: `SDWebImageDefine.h`, `SDImageTransformer.h` and `UIImageView+WebCache.h`, 5.0.0 to 5.21.5.
private struct SDWebImageCode {
  let request: SDWebImageRequest
  let name: String
  /// Not in the key, but with another one the app draws other pixels.
  let scale: Double
  let stores: CacheTypes
  let version: SDWebImageVersion
  let hasIDs: Bool

  var text: String {
    let rows = options.map { "    \($0),\n" }.joined()
    let context =
      rows.isEmpty
      ? "static var \(name)Context: [SDWebImageContextOption: Any] { [:] }"
      : """
      static var \(name)Context: [SDWebImageContextOption: Any] {
        [
      \(rows)  ]
      }
      """
    return context + "\n\n" + view
  }

  private var options: [String] {
    var options: [String] = []
    if let thumbnail = request.thumbnail {
      options.append(
        ".imageThumbnailPixelSize: \(SwiftLiteral.size(width: thumbnail.width, height: thumbnail.height))")
      if !thumbnail.preservesAspectRatio { options.append(".imagePreserveAspectRatio: false") }
    }
    if let transformer { options.append(".imageTransformer: \(transformer)") }
    if scale != 1 { options.append(".imageScaleFactor: \(NumberText.plain(scale))") }
    let usual = CacheTypes(.init(), version)
    if stores.result != usual.result { options.append(".storeCacheType: \(Self.code(stores.result))") }
    if stores.original != usual.original {
      options.append(".originalStoreCacheType: \(Self.code(stores.original))")
    }
    if stores.query != usual.query { options.append(".originalQueryCacheType: \(Self.code(stores.query))") }
    return options
  }

  private static func code(_ type: SDImageCacheType) -> String {
    "SDImageCacheType.\(type.rawValue).rawValue"
  }

  private var transformer: String? {
    let codes = request.transformers.map(TransformerCode.text)
    return codes.count > 1
      ? "SDImagePipelineTransformer(transformers: [\(codes.joined(separator: ", "))])" : codes.first
  }

  private var view: String {
    guard hasIDs else {
      return """
        @MainActor static func \(name)(_ source: Source, on view: UIImageView) {
          view.sd_setImage(
            with: URL(string: source.url), placeholderImage: nil, options: [], context: \(name)Context)
        }
        """
    }
    return """
      @MainActor static func \(name)(_ source: Source, on view: UIImageView) {
        var context = \(name)Context
        context[.cacheKeyFilter] = SDWebImageCacheKeyFilter { url in source.id ?? url.absoluteString }
        view.sd_setImage(
          with: URL(string: source.url), placeholderImage: nil, options: [], context: context)
      }
      """
  }

  /// A type of the app's own is not known here; the key is all that is known of it.
  static let accessory = """
    /// Stands in for a transformer of the app's own.
    final class WarmedTransformer: NSObject, SDImageTransformer {
      let transformerKey: String

      init(transformerKey: String) { self.transformerKey = transformerKey }

      func transformedImage(with image: UIImage, forKey key: String) -> UIImage? { image }
    }
    """
}

/// A transformer as Swift makes it.
private enum TransformerCode {
  static func text(_ transformer: SDImageTransformer) -> String {
    switch transformer {
    case .resizing(let size, let mode):
      "SDImageResizingTransformer(size: \(SwiftLiteral.size(width: size.width, height: size.height)), scaleMode: .\(mode))"
    case .cropping(let rect):
      "SDImageCroppingTransformer(rect: CGRect(x: \(number(rect.x)), y: \(number(rect.y)), "
        + "width: \(number(rect.width)), height: \(number(rect.height))))"
    case .roundCorner(let radius, let corners, let width, let color):
      "SDImageRoundCornerTransformer(radius: \(number(radius)), corners: \(code(corners)), "
        + "borderWidth: \(number(width)), borderColor: \(color.map(code) ?? "nil"))"
    case .flipping(let horizontal, let vertical):
      "SDImageFlippingTransformer(horizontal: \(horizontal), vertical: \(vertical))"
    case .rotation(let angle, let fits):
      "SDImageRotationTransformer(angle: \(number(angle)), fitSize: \(fits))"
    case .tint(let color, nil): "SDImageTintTransformer(color: \(code(color)))"
    case .tint(let color, let mode?): "SDImageTintTransformer(color: \(code(color)), blendMode: .\(mode))"
    case .blur(let radius): "SDImageBlurTransformer(radius: \(number(radius)))"
    case .filter(let name):
      "SDImageFilterTransformer(filter: CIFilter(name: \(SwiftLiteral.string(name))) ?? CIFilter())"
    case .custom(let key), .identified(_, let key):
      "WarmedTransformer(transformerKey: \(SwiftLiteral.string(key)))"
    }
  }

  private static func number(_ value: Double) -> String { NumberText.plain(value) }

  private static func code(_ color: SDImageTransformer.Color) -> String {
    SwiftLiteral.color(red: color.red, green: color.green, blue: color.blue, alpha: color.alpha)
  }

  private static func code(_ corners: SDImageTransformer.RectCorner) -> String {
    if corners == .allCorners { return ".allCorners" }
    let names: [(SDImageTransformer.RectCorner, String)] = [
      (.topLeft, ".topLeft"), (.topRight, ".topRight"), (.bottomLeft, ".bottomLeft"),
      (.bottomRight, ".bottomRight"),
    ]
    return "[\(names.filter { corners.contains($0.0) }.map(\.1).joined(separator: ", "))]"
  }
}

extension SDImageTransformer {
  var isAppsOwn: Bool {
    switch self {
    case .custom, .identified: true
    default: false
    }
  }
}
