import ClientKit
import SDWebImageCache
import Text

extension SDWebImageClient {
  package func objectiveCCode(
    named name: String, chain: Chain, scales: [Double], hasIDs: Bool
  ) -> RequestCode? {
    let context = options(of: chain, scale: scales.first ?? 1).map { option, value in
      "    SDWebImageContext\(option) : \(text(value)),\n"
    }.joined()
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
      accessory: hasAppsOwn(chain) ? Self.placeholder : nil)
  }

  /// A type of the app's own is not known here.
  private static let placeholder = """
    /// The app's own transformer with this key; the app defines it.
    extern id<SDImageTransformer> WarmedTransformer(NSString *transformerKey);
    """

  private func text(_ value: ContextValue) -> String {
    switch value {
    case .size(let size): "@(\(Self.code(size)))"
    case .off: "@NO"
    case .number(let number): "@\(NumberText.plain(number))"
    case .type(let type): "@(SDImageCacheType\(Self.capitalised(type.rawValue)))"
    case .transformers(let calls):
      calls.count > 1
        ? "[SDImagePipelineTransformer transformerWithTransformers:@[ "
          + "\(calls.map(text).joined(separator: ", ")) ]]"
        : calls.map(text).joined()
    }
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
    case .flag(let flag): return flag ? "YES" : "NO"
    case .numbers(let numbers):
      let type = numbers.count == 4 ? "CGRectMake" : "CGSizeMake"
      return "\(type)(\(numbers.map(NumberText.plain).joined(separator: ", ")))"
    case .word("xor"): return "kCGBlendModeXOR"
    case .word(let word):
      let isScale = TransformerKey.scaleModes.contains(word)
      return (isScale ? "SDImageScaleMode" : "kCGBlendMode") + capitalised(word)
    case .color(let color):
      let parts = zip(["colorWithRed", "green", "blue", "alpha"], color.components)
        .map { "\($0):\(NumberText.plain($1))" }
      return parts.isEmpty ? "nil" : "[UIColor \(parts.joined(separator: " "))]"
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
