import ClientKit
import SDWebImageCache
import Text

extension SDWebImageClient {
  package func objectiveCCode(
    named name: String, chain: Chain, scales: [Double], hasIDs: Bool
  ) -> RequestCode? {
    let request = SDWebImageRequest(chain)
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
      accessory: request.transformers.contains(where: \.isAppsOwn) ? Self.placeholder : nil)
  }

  /// A type of the app's own is not known here.
  private static let placeholder = """
    /// The app's own transformer with this key; the app defines it.
    extern id<SDImageTransformer> WarmedTransformer(NSString *transformerKey);
    """

  private func options(of request: SDWebImageRequest, scale: Double) -> [String] {
    var options: [String] = []
    if let thumbnail = request.thumbnail {
      let size = ObjectiveCLiteral.size(width: thumbnail.width, height: thumbnail.height)
      options.append("SDWebImageContextImageThumbnailPixelSize : @(\(size))")
      if !thumbnail.preservesAspectRatio { options.append("SDWebImageContextImagePreserveAspectRatio : @NO") }
    }
    if let transformer = Self.transformer(request.transformers) {
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

  private static func transformer(_ transformers: [SDImageTransformer]) -> String? {
    let codes = transformers.map(text)
    return codes.count > 1
      ? "[SDImagePipelineTransformer transformerWithTransformers:@[ \(codes.joined(separator: ", ")) ]]"
      : codes.first
  }

  private static func text(_ transformer: SDImageTransformer) -> String {
    switch transformer {
    case .resizing(let size, let mode):
      "[SDImageResizingTransformer transformerWithSize:"
        + "\(ObjectiveCLiteral.size(width: size.width, height: size.height)) "
        + "scaleMode:SDImageScaleMode\(capitalised("\(mode)"))]"
    case .cropping(let rect):
      "[SDImageCroppingTransformer transformerWithRect:CGRectMake("
        + [rect.x, rect.y, rect.width, rect.height].map(NumberText.plain).joined(separator: ", ") + ")]"
    case .roundCorner(let radius, let corners, let width, let color):
      "[SDImageRoundCornerTransformer transformerWithRadius:\(NumberText.plain(radius)) corners:\(code(corners)) "
        + "borderWidth:\(NumberText.plain(width)) borderColor:\(color.map(code) ?? "nil")]"
    case .flipping(let horizontal, let vertical):
      "[SDImageFlippingTransformer transformerWithHorizontal:\(ObjectiveCLiteral.bool(horizontal)) "
        + "vertical:\(ObjectiveCLiteral.bool(vertical))]"
    case .rotation(let angle, let fits):
      "[SDImageRotationTransformer transformerWithAngle:\(NumberText.plain(angle)) "
        + "fitSize:\(ObjectiveCLiteral.bool(fits))]"
    case .tint(let color, let mode):
      "[SDImageTintTransformer transformerWithColor:\(code(color))"
        + (mode.map { " blendMode:kCGBlendMode\($0 == .xor ? "XOR" : capitalised("\($0)"))" } ?? "") + "]"
    case .blur(let radius): "[SDImageBlurTransformer transformerWithRadius:\(NumberText.plain(radius))]"
    case .filter(let name):
      "[SDImageFilterTransformer transformerWithFilter:"
        + "(CIFilter *_Nonnull)[CIFilter filterWithName:\(ObjectiveCLiteral.string(name))]]"
    case .custom(let key), .identified(_, let key): "WarmedTransformer(\(ObjectiveCLiteral.string(key)))"
    }
  }

  private static func code(_ color: SDImageTransformer.Color) -> String {
    ObjectiveCLiteral.color(red: color.red, green: color.green, blue: color.blue, alpha: color.alpha)
  }

  private static func code(_ corners: SDImageTransformer.RectCorner) -> String {
    if corners == .allCorners { return "SDRectCornerAllCorners" }
    let names: [(SDImageTransformer.RectCorner, String)] = [
      (.topLeft, "SDRectCornerTopLeft"), (.topRight, "SDRectCornerTopRight"),
      (.bottomLeft, "SDRectCornerBottomLeft"), (.bottomRight, "SDRectCornerBottomRight"),
    ]
    let present = names.filter { corners.contains($0.0) }.map(\.1)
    return present.isEmpty ? "(SDRectCorner)0" : present.joined(separator: " | ")
  }

  private static func capitalised(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }
}
