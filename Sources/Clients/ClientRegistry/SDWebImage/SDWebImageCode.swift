import ClientKit
import SDWebImageCache
import Text

/// SDWebImage's requests in Swift: a context, and `sd_setImage` or SDWebImageSwiftUI's `WebImage` with it.
///
/// Facts: `SDWebImageDefine.h`, `SDImageTransformer.h` and `UIImageView+WebCache.h`, 5.0.0 to 5.21.5; `WebImage.swift` of
/// SDWebImageSwiftUI 2 and 3.
extension SDWebImageClient {
  package func code(_ coded: CodedRequest) -> RequestCode {
    let (name, hasIDs) = (coded.name, coded.hasIDs)
    let filter = "    .cacheKeyFilter: SDWebImageCacheKeyFilter { url in id ?? url.absoluteString },\n"
    let rows = options(of: coded).map { option, value in
      "    .\(option.prefix(1).lowercased())\(option.dropFirst()): \(code(value)),\n"
    }
    let context = ((hasIDs ? [filter] : []) + rows).joined()
    let parameters = Self.parameters(hasIDs: hasIDs)
    let call = "\(name)Context(\(hasIDs ? "id: id" : ""))"
    let words = words(coded.options).map { ".f\($0.dropFirst())" }.joined(separator: ", ")
    return (
      text: """
      static func \(name)Context(\(hasIDs ? "id: String? = nil" : "")) -> [SDWebImageContextOption: Any] {
        [\(context.isEmpty ? ":" : "\n\(context)  ")]
      }

      @MainActor static func \(name)(\(parameters), on view: UIImageView) {
        view.sd_setImage(
          with: URL(string: url), placeholderImage: nil, options: [\(words)], context: \(call))
      }

      #if canImport(SDWebImageSwiftUI)
        @MainActor static func \(name)(\(parameters)) -> some View {
          WebImage(url: URL(string: url)\(words.isEmpty ? "" : ", options: [\(words)]"), context: \(call)).resizable()
        }
      #endif
      """, imports: ["SDWebImage", "UIKit"],
      accessories: [Self.swiftUI] + (hasAppsOwn(coded.chain) ? [Self.accessory] : [])
    )
  }

  /// Not every app has it.
  private static let swiftUI = """
    #if canImport(SDWebImageSwiftUI)
      import SDWebImageSwiftUI
      import SwiftUI
    #endif
    """

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
  private func words(_ options: RequestOptions) -> [String] {
    options.words([\.readsNothing: "FromLoaderOnly", \.offline: "FromCacheOnly"])
  }

  /// The options of a request's context by their names, as far as they are not the usual ones.
  func options(of coded: CodedRequest) -> [(name: String, value: ContextValue)] {
    let (thumbnail, transformers) = processorRows.parts(of: coded.chain)
    var options: [(name: String, value: ContextValue)] = []
    if let values = thumbnail?.values, let size = values["size"] {
      options.append(("ImageThumbnailPixelSize", .size(size)))
      if !values.flag("preserveAspectRatio") { options.append(("ImagePreserveAspectRatio", .off)) }
    }
    if !transformers.isEmpty { options.append(("ImageTransformer", .transformers(transformers))) }
    // Not in the key, but with another one the app draws other pixels. None is left to the key.
    if let scale = coded.scales.first { options.append(("ImageScaleFactor", .number(scale))) }
    let usual = CacheTypes(.init(), version)
    var stores = stores
    if coded.options.noDiskWrite { (stores.result, stores.original) = (.memory, .none) }
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

  package func objectiveCCode(_ coded: CodedRequest) -> RequestCode? {
    let (name, hasIDs) = (coded.name, coded.hasIDs)
    let words = words(coded.options).map { "SDWebImage" + $0 }.joined(separator: " | ")
    let context = options(of: coded).map { option, value in
      "    SDWebImageContext\(option) : \(text(value)),\n"
    }.joined()
    let filter = """

        context[SDWebImageContextCacheKeyFilter] = [SDWebImageCacheKeyFilter
            cacheKeyFilterWithBlock:^NSString *(NSURL *url) { return key ?: url.absoluteString; }];
      """
    return (
      text: """
      static inline SDWebImageContext *\(name)Context(void) {
        return \(context.isEmpty ? "@{}" : "@{\n\(context)  }");
      }

      static inline void \(name)(NSString *url, \(hasIDs ? "NSString *_Nullable key, " : "")UIImageView *view) {
        SDWebImageMutableContext *context = [\(name)Context() mutableCopy];\(hasIDs ? filter : "")
        [view sd_setImageWithURL:[NSURL URLWithString:url]
                placeholderImage:nil
                         options:\(words.isEmpty ? "0" : words)
                         context:context];
      }
      """, imports: ["SDWebImage/SDWebImage.h", "UIKit/UIKit.h"],
      accessories: hasAppsOwn(coded.chain) ? [Self.placeholder] : []
    )
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
    let inputs = row.parameters.inputs(call.values).map { "@\"\($0.name)\" : @\($0.number)" }
    let arguments = row.parameters.inCode(call.values).map { parameter, value in
      "\(parameter.codeLabel):\(value.map { Self.code($0, inputs: inputs.joined(separator: ", ")) } ?? "nil")"
    }.joined(separator: " ")
    return "[\(row.code) transformerWith\(Self.capitalised(arguments))]"
  }

  /// - Parameter inputs: of a Core Image filter, as a dictionary has them.
  private static func code(_ value: ProcessorValue, inputs: String = "") -> String {
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
      return "[UIColor \(parts.joined(separator: " "))]"
    // Where there is UIKit, `SDRectCorner` is only another name of its type.
    case .corners(SDImageTransformer.RectCorner.allCorners.rawValue): return "UIRectCornerAllCorners"
    case .corners(let bits):
      let names = ParameterType.names(ofCorners: bits).map { "UIRectCorner" + capitalised($0) }
      return names.isEmpty ? "(SDRectCorner)0" : names.joined(separator: " | ")
    case .text(let name):
      let parameters = inputs.isEmpty ? "" : " withInputParameters:@{\(inputs)}"
      return "(CIFilter *_Nonnull)[CIFilter filterWithName:\(ObjectiveCLiteral.string(name))\(parameters)]"
    case .whole, .measure, .group: return ""
    }
  }

  private static func capitalised(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }
}
