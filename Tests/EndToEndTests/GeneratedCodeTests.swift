import Foundation
import TestSupport
import Testing

/// The code that `preheat code --swift` prints for an app compiles with this package's own libraries. What is a view on a
/// device stands in a few lines here.
@Suite(.ownThreads, .timeLimit(.minutes(10)), .enabled(if: SwiftCompiler.isThere))
struct GeneratedCodeTests {
  private static let nuke = """
    cache cache
    scale 2 3
    chain card = resize(width: 320)
    chain thumbed = thumbnail(maxPixelSize: 64, shouldCacheImmediately: false)
    https://e.com/1.jpg card original
    https://e.com/1.jpg resize(size: 44x33.5, unit: pixels, contentMode: aspectFit, upscale: true) | gaussianBlur
    https://e.com/2.jpg circle(border: (color: .red, width: 2)) | roundedCorners(radius: 8, unit: pixels)
    https://e.com/3.jpg coreImageFilter(name: CISepiaTone) | coreImage(name: CISepiaTone, identifier: "sepia")
    https://e.com/4.jpg circle as "com.example.round" custom("a\\"b\\\\c")
    https://e.com/5.jpg thumbed id="i\\"d"
    """

  /// Of all releases, with numbers and texts that are spelled in an odd way.
  private static let kingfisher = [
    "cache cache", "scale 2", "chain fit = resizing(referenceSize: 10x20.5, mode: aspectFit)",
    "chain small = downsampling(size: 5x5) | blur(blurRadius: 1e16)",
    "chain late = blackWhite | downsampling(size: 5x0.1) | default",
    "chain round = roundCorner(cornerRadius: 99.89999999999999, targetSize: 9x9, "
      + "roundingCorners: topLeft+bottomRight, backgroundColor: #ff0000)",
    "chain cut = cropping(size: 4x4, anchor: (-0, 1)) | tint(color: #ff000080) | overlay(color: white)",
    "chain toned = colorControls(brightness: 0.1, contrast: 1e-5, saturation: 1, inputEV: -1) | blackWhite",
    "chain mixed = blend(blendMode: multiply, alpha: 0.5, backgroundColor: black) | blend(blendMode: 27)",
    #"chain own = blackWhite as "mono" | custom("a(b)|>\"c\\d") | default"#,
    "chain first = default | downsampling(size: 3x3)",
    "https://e.com/1.jpg fit small late round cut toned mixed own first original",
    #"https://e.com/2.jpg small own id="i\"d@2x""#, "/Apps/S.app/a.png fit original",
    "/tmp/a.png small id=three",
  ]

  /// The view code that the printed functions end in: what they ask for is noted by its key, as the release makes it.
  /// Facts: `KFOptionsSetter.swift`, `KFImage.swift` and `Resource.swift`.
  private static let views = """
    import Foundation
    import KingfisherCache

    // Of a processor of the app's own, which draws nothing here.
    // Before 5.9.0 it has no other name.
    typealias UIImage = KFCrossPlatformImage
    enum ImageProcessItem { case image(KFCrossPlatformImage), data(Data) }
    struct KingfisherParsedOptionsInfo { let scaleFactor = 1.0 }
    extension KFCrossPlatformImage {
      init?(data: Data, scale: Double) { self.init(data: data) }
    }

    enum Source { case network(ImageResource), keyed(URL, String?) }
    extension URL {
      func convertToSource(overrideCacheKey key: String?) -> Source { .keyed(self, key) }
    }

    @MainActor enum Asked {
      static var keys: [String] = []

      static func add(_ base: String?, _ processor: any ImageProcessor) {
        let identifier = processor.identifier(in: release)
        keys.append((base ?? "") + (identifier.isEmpty ? "" : "@" + identifier))
      }

      static func base(_ source: Source?) -> String? {
        switch source {
        case .network(let resource)?: resource.cacheKey(in: release)
        case .keyed(let url, let key)?: key ?? url.cacheKey(in: release)
        case nil: nil
        }
      }
    }

    @MainActor final class UIImageView {
      var kf: Wrapper { Wrapper() }

      @MainActor struct Wrapper {
        func setImage(with source: Source?, options: KingfisherOptionsInfo? = nil) {
          var last: any ImageProcessor = DefaultImageProcessor.default
          for case .processor(let processor) in options ?? [] { last = processor }
          Asked.add(Asked.base(source), last)
        }
        func setImage(with url: URL?, options: KingfisherOptionsInfo? = nil) {
          setImage(with: url.map { Source.keyed($0, nil) }, options: options)
        }
        func setImage(with resource: ImageResource?, options: KingfisherOptionsInfo? = nil) {
          setImage(with: resource.map { Source.network($0) }, options: options)
        }
      }
    }

    @MainActor final class KFImage {
      private let base: String?
      private var processor: any ImageProcessor = DefaultImageProcessor.default
      init(source: Source?) { base = Asked.base(source) }

      static func url(_ url: URL?, cacheKey: String? = nil) -> KFImage {
        let key = release >= KingfisherVersion(6, 1, 1) ? cacheKey : nil
        return KFImage(source: url.map { .keyed($0, key) })
      }
      func downsampling(size: CGSize) -> KFImage {
        let next = DownsamplingImageProcessor(size: size)
        processor = processor.identifier(in: release).isEmpty ? next : processor |> next
        return self
      }
      func appendProcessor(_ next: any ImageProcessor) -> KFImage {
        processor = processor |> next
        return self
      }
      func scaleFactor(_ factor: Double) -> KFImage { self }
      func ask() { Asked.add(base, processor) }
    }
    """

  /// The printed code without the imports of what is not here, and with that of a library of ours.
  private static func code(_ job: String, importing module: String, without modules: [String]) throws
    -> String
  {
    let folder = try TemporaryFolder()
    try folder.write(job + "\n", to: "test.job")
    let printed = try BuiltCommand.run(["code", "test.job", "--swift", "--tests"], in: folder.url).expect(0)
    let lines = printed.output.components(separatedBy: "\n")
    let imports = modules.map { "import \($0)" }
    #expect(lines.count { imports.contains($0) } == 2)
    return (["import \(module)"] + lines.filter { !imports.contains($0) }).joined(separator: "\n")
  }

  /// What the compiler says, nil for nothing.
  private static func complaint(about code: String..., flags: [String]) throws -> String? {
    let folder = try TemporaryFolder()
    for (number, text) in code.enumerated() { try folder.write(text, to: "\(number).swift") }
    return try SwiftCompiler.complaint(
      [
        "-typecheck", "-swift-version", "6", "-module-cache-path", folder.file("cache").path, "-I",
        BuiltCommand.products.appendingPathComponent("Modules").path,
      ] + flags + code.indices.map { folder.file("\($0).swift").path })
  }

  @Test(arguments: ["nuke 10", "nuke 11", "nuke 12", "nuke 13", "nuke 14"])
  func itCompilesAgainstNukeCache(version: String) throws {
    let hasSizes = !["nuke 10", "nuke 11"].contains(version)
    let more =
      hasSizes ? "https://e.com/6.jpg thumbnail(size: 10x20, unit: pixels, contentMode: aspectFit)" : ""
    // The keys of `userInfo` before Nuke 13 are the app's.
    let code =
      try Self.code(
        "client \(version)\n\(Self.nuke)\n\(more)", importing: "NukeCache", without: ["Nuke", "UIKit"])
      + "extension String { static let imageIdKey = \"i\", thumbnailKey = \"t\" }\n"
    #expect(try Self.complaint(about: code, flags: ["-warnings-as-errors"]) == nil)
    // A check that can fail.
    let wrong = code.replacing("ImageRequest(url:", with: "ImageRequest(address:")
    #expect(try Self.complaint(about: wrong, flags: []) != nil)
  }

  /// Each printed request is made, and leads to the key that the plan has for it.
  @Test(arguments: [
    ("5.8.3", "options"), ("5.15.8", "options"), ("7.1.2", "options"), ("8.11.0", "options"),
    ("6.0.1", "builder"), ("7.2.0", "builder"), ("8.11.0", "builder"),
  ])
  func itAsksKingfisherCacheForThePlannedKeys(release: String, style: String) throws {
    let since = { (first: String) in release.compare(first, options: .numeric) != .orderedAscending }
    let rows =
      Self.kingfisher
      + (since("5.14.0")
        ? ["https://e.com/3.jpg roundCorner(radius: heightFraction(0.25), backgroundColor: gray(0.5, 1))"]
        : [])
      + (since("7.0.0")
        ? [
          "https://e.com/3.jpg border(lineWidth: 2, color: gray(0.5, 1), radius: point(3), roundingCorners: none)"
        ]
        : [])
    let code = try Self.code(
      "client kingfisher \(release)\nstyle \(style)\n\(rows.joined(separator: "\n"))",
      importing: "KingfisherCache", without: ["Kingfisher", "UIKit", "SwiftUI"])
    var main =
      "import KingfisherCache\nlet release = KingfisherVersion(\(release.replacing(".", with: ", ")))\n"
    for function in code.matches(of: /@MainActor static func (\w+)\(_ url: String(, id: String\? = nil)?/) {
      let id = function.2 == nil ? "" : ", id: source.id"
      let view = style == "options" ? ", on: UIImageView())" : ").ask()"
      main += "for source in Warmed.\(function.1)Sources { Warmed.\(function.1)(source.url\(id)\(view) }\n"
    }
    main += """
      let planned = Set(Warmed.keys.map(\\.key))
      for key in planned.symmetricDifference(Asked.keys).sorted() { print(key) }
      print(Asked.keys.count, Warmed.keys.count)
      """
    let folder = try TemporaryFolder()
    for (name, text) in [("Warmed", code), ("Views", Self.views), ("main", main)] {
      try folder.write(text, to: "\(name).swift")
    }
    let complaint = try SwiftCompiler.complaint(
      [
        "-swift-version", "6", "-package-name", "app", "-module-cache-path", folder.file("cache").path, "-I",
        BuiltCommand.products.appendingPathComponent("Modules").path, "-o", folder.file("ask").path,
      ] + ["Warmed", "Views", "main"].map { folder.file("\($0).swift").path }
        + SwiftCompiler.objects(of: [
          "KingfisherCache", "Concurrency", "Digests", "FileStore", "Pictures", "Text",
        ]))
    try #require(complaint == nil, "\(complaint ?? "")")
    let count = code.matches(of: /\n      \("/).count
    try Program.run([folder.file("ask").path]).expect(0, prints: "\(count) \(count)\n")
  }
}
