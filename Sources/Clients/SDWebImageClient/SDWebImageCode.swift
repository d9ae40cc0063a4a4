import ClientKit
import SDWebImageCache
import Text

extension SDWebImageClient {
  package func code(named name: String, chain: Chain, scales: [Double], hasIDs: Bool) -> RequestCode {
    let request = SDWebImageRequest(chain, processorRows)
    let code = SDWebImageCode(
      request: request, rows: processorRows, name: name, scale: scales.first ?? 1, stores: stores,
      version: version, hasIDs: hasIDs)
    return RequestCode(
      text: code.text, imports: ["SDWebImage", "UIKit"],
      accessory: request.hasAppsOwn ? SDWebImageCode.accessory : nil)
  }
}

/// SDWebImage's requests in Swift: a context, and `sd_setImage` with it.
///
/// Facts: `SDWebImageDefine.h`, `SDImageTransformer.h` and `UIImageView+WebCache.h`, 5.0.0 to 5.21.5.
private struct SDWebImageCode {
  let request: SDWebImageRequest
  let rows: [ProcessorRow]
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
      let size = thumbnail.size("size")
      options.append(
        ".imageThumbnailPixelSize: \(SwiftLiteral.size(width: size.width, height: size.height))")
      if !thumbnail.flag("preserveAspectRatio") { options.append(".imagePreserveAspectRatio: false") }
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
    let codes = request.transformers.map { call in
      call.identifier.map { "WarmedTransformer(transformerKey: \(SwiftLiteral.string($0)))" }
        ?? rows.row(of: call)?.swift(call.values, .named) ?? ""
    }
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

/// A chain as an app hands it over: perhaps a thumbnail size, then the members of a pipeline.
struct SDWebImageRequest {
  var thumbnail: ProcessorValues?
  var transformers: [ProcessorCall]

  init(_ chain: Chain, _ rows: [ProcessorRow]) {
    transformers = chain.calls
    if let first = transformers.first, rows.isLeading(first) {
      thumbnail = first.values
      transformers.removeFirst()
    }
  }

  var hasAppsOwn: Bool { transformers.contains { $0.identifier != nil } }
}
