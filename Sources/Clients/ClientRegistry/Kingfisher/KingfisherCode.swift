import ClientKit
import KingfisherCache
import Text

extension KingfisherClient {
  package func code(_ coded: CodedRequest) -> RequestCode {
    let request = KingfisherCode(format: format, coded: coded)
    return (
      text: request.text, imports: ["Kingfisher", format.style == .builder ? "SwiftUI" : "UIKit"],
      accessories: request.calls.contains { $0.identifier != nil } ? [request.accessory] : []
    )
  }
}

/// Kingfisher's requests in Swift: `KFImage` where the job's style is the builder's, else `kf.setImage`.
///
/// Facts: `KFOptionsSetter.swift`, `KF.swift`, `Resource.swift` and `ImageProcessor.swift`, 5.0.0 to 8.11.0.
private struct KingfisherCode {
  let format: KingfisherKeyFormat
  let coded: CodedRequest

  var calls: [ProcessorCall] { coded.chain.calls }
  /// Not in the key, but without it the app shows the entry at another size in points.
  private var scaleFactor: Double { coded.scales.first ?? 1 }
  /// Options that say what is read and written; in both styles they have the same names.
  private var words: [String] {
    coded.options.words([
      \.reload: ".forceRefresh", \.offline: ".onlyFromCache", \.noDiskRead: ".fromMemoryCacheOrRefresh",
      \.noDiskWrite: ".cacheMemoryOnly",
    ])
  }

  var text: String {
    switch format.style {
    case .options: (namesNote + [options, view]).joined(separator: "\n")
    case .builder: (namesNote + [builder]).joined(separator: "\n")
    }
  }

  /// What the app sets for the whole cache, once, and no request can say.
  private var namesNote: [String] {
    var settings: [String] = []
    if let text = format.naming.pathExtension {
      settings.append("pathExtension = \(SwiftLiteral.string(text))")
    }
    if format.naming.autoExtension { settings.append("autoExtAfterHashedFileName = true") }
    return settings.map { "// Before the first request: ImageCache.default.diskStorage.config.\($0)" }
  }

  // MARK: Options

  private var options: String {
    var items: [String] = []
    if !calls.isEmpty { items.append(".processor(\(joined))") }
    if scaleFactor != 1 { items.append(".scaleFactor(\(NumberText.plain(scaleFactor)))") }
    if let text = format.naming.forcedExtension {
      items.append(".forcedCacheFileExtension(\(SwiftLiteral.string(text)))")
    }
    items += words
    return """
      static var \(coded.name)Options: KingfisherOptionsInfo {
        [\(items.joined(separator: ", "))]
      }
      """
  }

  /// `|>` can be called from outside since 5.9.0; `append` does the same in every version.
  private var joined: String {
    let codes = calls.map(Self.code)
    if format.version >= KingfisherVersion(5, 9, 0) { return codes.joined(separator: " |> ") }
    return codes.dropFirst().reduce(codes[0]) { "\($0).append(another: \($1))" }
  }

  private var view: String {
    """

    @MainActor static func \(coded.name)(\(KingfisherClient.parameters(hasIDs: coded.hasIDs)), on view: UIImageView) {
      view.kf.setImage(with: \(source), options: \(coded.name)Options)
    }
    """
  }

  /// A plain URL has the same key in every version. One that is given its own key differs for files: 7.1.x ignores
  /// it, and 7.2.0 makes another key where none is given, unless it is handed over as an override.
  private var source: String {
    let url = "URL(string: url)"
    guard coded.hasIDs else { return url }
    let version = format.version
    if version >= KingfisherVersion(7, 1, 0), version < KingfisherVersion(7, 2, 1) {
      return "\(url)?.convertToSource(overrideCacheKey: id)"
    }
    // `ImageResource` until 7.7, when Xcode 15 took the name.
    let resource = version >= KingfisherVersion(7, 8, 0) ? "KF.ImageResource" : "ImageResource"
    return "\(url).map { \(resource)(downloadURL: $0, cacheKey: id) }"
  }

  // MARK: Builder

  private var builder: String {
    var lines = [image]
    lines += (modifiers + words.map { $0 + "()" }).map { "  " + $0 }
    if scaleFactor != 1 { lines.append("  .scaleFactor(\(NumberText.plain(scaleFactor)))") }
    if let text = format.naming.forcedExtension {
      // There is no modifier for it.
      lines[0] = "let image = " + lines[0]
      lines += ["image.options.forcedExtension = \(SwiftLiteral.string(text))", "return image"]
    }
    return
      "@MainActor static func \(coded.name)(\(KingfisherClient.parameters(hasIDs: coded.hasIDs))) -> KFImage {\n"
      + lines.map { "  \($0)\n" }.joined() + "}"
  }

  private var image: String {
    let url = "URL(string: url)"
    guard coded.hasIDs, format.version.dropsKeysOfViews else {
      return "KFImage.url(\(url)\(coded.hasIDs ? ", cacheKey: id" : ""))"
    }
    let resource = "ImageResource(downloadURL: $0, cacheKey: id)"
    return "KFImage(source: \(url).map { .network(\(resource)) })"
  }

  /// A builder starts with the default processor, so a `default` that comes first is there already. `appendProcessor`
  /// appends to it and leaves an empty side; only the modifier `downsampling` replaces it.
  private var modifiers: [String] {
    var rest = calls[...]
    guard let first = rest.first, first.identifier == nil else { return rest.map(appended) }
    if first.name == ProcessorKey.plain.name { rest.removeFirst() }
    guard first.name == ProcessorKey.downsampling.name, let size = first.values["size"] else {
      return rest.map(appended)
    }
    return [".downsampling(size: \(SwiftLiteral.value(size, .size, .inferred)))"]
      + rest.dropFirst().map(appended)
  }

  private func appended(_ call: ProcessorCall) -> String { ".appendProcessor(\(Self.code(call)))" }

  /// Arguments are spelled without the names of their types, which differ between UIKit and `KingfisherCache`: the same
  /// text compiles with both.
  private static func code(_ call: ProcessorCall) -> String {
    call.identifier.map { "WarmedProcessor(identifier: \(SwiftLiteral.string($0)))" }
      ?? KingfisherProcessors.rows.row(of: call)?.swift(call.values, .inferred) ?? ""
  }

  // MARK: The app's own processors

  /// A type of the app's own is not known here; the identifier is all that a key has of it.
  var accessory: String {
    let image = format.version >= KingfisherVersion(5, 9, 0) ? "KFCrossPlatformImage" : "UIImage"
    return """
      /// Stands in for a processor of the app's own.
      struct WarmedProcessor: ImageProcessor {
        let identifier: String

        func process(item: ImageProcessItem, options: KingfisherParsedOptionsInfo) -> \(image)? {
          switch item {
          case .image(let image): return image
          case .data(let data): return \(image)(data: data, scale: options.scaleFactor)
          }
        }
      }
      """
  }
}
