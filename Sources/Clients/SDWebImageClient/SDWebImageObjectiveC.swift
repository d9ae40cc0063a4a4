import ClientKit
import SDWebImageCache
import Text

extension SDWebImageClient {
  package func objectiveCCode(
    named name: String, chain: Chain, scales: [Double], hasIDs: Bool
  ) -> RequestCode? {
    let request = SDWebImageRequest(chain, processorRows)
    let context = options(of: request, scale: scales.first ?? 1).map { "    \($0),\n" }.joined()
    let filter = """

        NSString *key = source[@"id"];
        context[SDWebImageContextCacheKeyFilter] = [SDWebImageCacheKeyFilter
            cacheKeyFilterWithBlock:^NSString *(NSURL *url) { return key ?: url.absoluteString; }];
      """
    return RequestCode(
      text: """
        static inline SDWebImageContext *\(name)Context(void) {
          return \(context.isEmpty ? "@{}" : "@{\n\(context)  }");
        }

        static inline void \(name)(NSDictionary<NSString *, NSString *> *source, UIImageView *view) {
          SDWebImageMutableContext *context = [\(name)Context() mutableCopy];\(hasIDs ? filter : "")
          [view sd_setImageWithURL:[NSURL URLWithString:source[@"url"]]
                  placeholderImage:nil
                           options:0
                           context:context];
        }
        """, imports: ["SDWebImage/SDWebImage.h", "UIKit/UIKit.h"],
      accessory: request.hasAppsOwn ? Self.placeholder : nil)
  }

  /// A type of the app's own is not known here.
  private static let placeholder = """
    /// The app's own transformer with this key; the app defines it.
    extern id<SDImageTransformer> WarmedTransformer(NSString *transformerKey);
    """

  private func options(of request: SDWebImageRequest, scale: Double) -> [String] {
    var options: [String] = []
    if let thumbnail = request.thumbnail {
      let sides = thumbnail.size("size")
      let size = ObjectiveCLiteral.size(width: sides.width, height: sides.height)
      options.append("SDWebImageContextImageThumbnailPixelSize : @(\(size))")
      if !thumbnail.flag("preserveAspectRatio") {
        options.append("SDWebImageContextImagePreserveAspectRatio : @NO")
      }
    }
    if let transformer = transformer(request.transformers) {
      options.append("SDWebImageContextImageTransformer : \(transformer)")
    }
    if scale != 1 { options.append("SDWebImageContextImageScaleFactor : @\(NumberText.plain(scale))") }
    let usual = CacheTypes(.init(), version)
    let types = [
      ("StoreCacheType", stores.result, usual.result),
      ("OriginalStoreCacheType", stores.original, usual.original),
      ("OriginalQueryCacheType", stores.query, usual.query),
    ]
    for (name, type, usual) in types where type != usual {
      options.append("SDWebImageContext\(name) : @(SDImageCacheType\(Self.capitalised(type.rawValue)))")
    }
    return options
  }

  private func transformer(_ transformers: [ProcessorCall]) -> String? {
    let codes = transformers.map(text)
    return codes.count > 1
      ? "[SDImagePipelineTransformer transformerWithTransformers:@[ \(codes.joined(separator: ", ")) ]]"
      : codes.first
  }

  /// `[SDImageRotationTransformer transformerWithAngle:1 fitSize:YES]`: the selectors are the labels of Swift.
  private func text(_ call: ProcessorCall) -> String {
    if let key = call.identifier { return "WarmedTransformer(\(ObjectiveCLiteral.string(key)))" }
    guard let row = processorRows.row(of: call) else { return "" }
    let arguments = row.parameters.inCode(call.values).map { parameter, value in
      "\(parameter.codeLabel):\(value.map(Self.code) ?? "nil")"
    }.joined(separator: " ")
    return "[\(row.code) transformerWith\(Self.capitalised(arguments))]"
  }

  private static func code(_ value: ProcessorValue) -> String {
    switch value {
    case .number(let number): return NumberText.plain(number)
    case .flag(let flag): return ObjectiveCLiteral.bool(flag)
    case .numbers(let numbers):
      let type = numbers.count == 4 ? "CGRectMake" : "CGSizeMake"
      return "\(type)(\(numbers.map(NumberText.plain).joined(separator: ", ")))"
    case .word("xor"): return "kCGBlendModeXOR"
    case .word(let word):
      let isScale = TransformerKey.scaleModes.contains(word)
      return (isScale ? "SDImageScaleMode" : "kCGBlendMode") + capitalised(word)
    case .color(let color):
      let parts = color.components
      guard parts.count == 4 else { return "nil" }
      return ObjectiveCLiteral.color(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3])
    case .corners(SDImageTransformer.RectCorner.allCorners.rawValue): return "SDRectCornerAllCorners"
    case .corners(let bits):
      let names = ParameterType.names(ofCorners: bits).map { "SDRectCorner" + capitalised($0) }
      return names.isEmpty ? "(SDRectCorner)0" : names.joined(separator: " | ")
    case .text(let name):
      return "(CIFilter *_Nonnull)[CIFilter filterWithName:\(ObjectiveCLiteral.string(name))]"
    case .whole, .measure, .group, .calls: return ""
    }
  }

  private static func capitalised(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }
}
