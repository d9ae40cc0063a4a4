import ClientKit
import SDWebImageCache
import Text

/// SDWebImage's requests in Swift: a context, and `sd_setImage` with it.
///
/// Facts: `SDWebImageDefine.h`, `SDImageTransformer.h` and `UIImageView+WebCache.h`, 5.0.0 to 5.21.5.
extension SDWebImageClient {
  package func code(named name: String, chain: Chain, scales: [Double], hasIDs: Bool) -> RequestCode {
    let rows = options(of: chain, scale: scales.first ?? 1).map { option, value in
      "    .\(option.prefix(1).lowercased())\(option.dropFirst()): \(code(value)),\n"
    }.joined()
    let context =
      rows.isEmpty
      ? "static var \(name)Context: [SDWebImageContextOption: Any] { [:] }"
      : """
      static var \(name)Context: [SDWebImageContextOption: Any] {
        [
      \(rows)  ]
      }
      """
    return RequestCode(
      text: context + "\n\n" + view(name, hasIDs: hasIDs), imports: ["SDWebImage", "UIKit"],
      accessory: hasAppsOwn(chain) ? Self.accessory : nil)
  }

  private func code(_ value: ContextValue) -> String {
    switch value {
    case .size(let size): SwiftLiteral.value(size, .size, .named)
    case .off: "false"
    case .number(let number): NumberText.plain(number)
    case .type(let type): "SDImageCacheType.\(type.rawValue).rawValue"
    case .transformers(let calls):
      calls.count > 1
        ? "SDImagePipelineTransformer(transformers: [\(calls.map(code).joined(separator: ", "))])"
        : calls.map(code).joined()
    }
  }

  private func code(_ call: ProcessorCall) -> String {
    call.identifier.map { "WarmedTransformer(transformerKey: \(SwiftLiteral.string($0)))" }
      ?? processorRows.row(of: call)?.swift(call.values, .named) ?? ""
  }

  private func view(_ name: String, hasIDs: Bool) -> String {
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
  private static let accessory = """
    /// Stands in for a transformer of the app's own.
    final class WarmedTransformer: NSObject, SDImageTransformer {
      let transformerKey: String

      init(transformerKey: String) { self.transformerKey = transformerKey }

      func transformedImage(with image: UIImage, forKey key: String) -> UIImage? { image }
    }
    """
}

/// The value of an option of a request's context.
enum ContextValue {
  case size(ProcessorValue)
  case off
  case number(Double)
  case type(SDImageCacheType)
  /// One, or the members of a pipeline.
  case transformers([ProcessorCall])
}

/// Both languages.
extension SDWebImageClient {
  /// The options of a request's context by their names, as far as they are not the usual ones.
  func options(of chain: Chain, scale: Double) -> [(name: String, value: ContextValue)] {
    let (thumbnail, transformers) = processorRows.parts(of: chain)
    var options: [(name: String, value: ContextValue)] = []
    if let values = thumbnail?.values, let size = values["size"] {
      options.append(("ImageThumbnailPixelSize", .size(size)))
      if !values.flag("preserveAspectRatio") { options.append(("ImagePreserveAspectRatio", .off)) }
    }
    if !transformers.isEmpty { options.append(("ImageTransformer", .transformers(transformers))) }
    // Not in the key, but with another one the app draws other pixels.
    if scale != 1 { options.append(("ImageScaleFactor", .number(scale))) }
    let usual = CacheTypes(.init(), version)
    let types = [
      ("StoreCacheType", stores.result, usual.result),
      ("OriginalStoreCacheType", stores.original, usual.original),
      ("OriginalQueryCacheType", stores.query, usual.query),
    ]
    return options + types.filter { $0.1 != $0.2 }.map { ($0.0, .type($0.1)) }
  }

  func hasAppsOwn(_ chain: Chain) -> Bool {
    processorRows.parts(of: chain).processors.contains { $0.identifier != nil }
  }
}
