import Foundation
import JobSupport
import TestSupport
import Testing

@testable import CacheTools

/// The code that an app with SDWebImage gets, against its published declarations as modules.
@Suite(.timeLimit(.minutes(10)))
struct SDWebImageCodeTests {
  private static let newest = """
    client sdwebimage 5
    cache cache
    store-cache-type disk
    original-query-cache-type none
    chain a = thumbnail(size: 200x100.5, preserveAspectRatio: false) | resize(size: 10x20, scaleMode: aspectFit)
    chain b = roundCorner(radius: 8, corners: topLeft+bottomRight, borderWidth: 1, borderColor: red) | crop(rect: (0, 0, 5, 5))
    chain c = flip(horizontal: true) | rotate(angle: -0.5, fitSize: false) | roundCorner(radius: 4, corners: none)
    chain d = tint(color: #ff000080) | tint(color: red, blendMode: multiply) | blur(radius: 2.5)
    chain e = filter(name: CISepiaTone) | custom("a\\"b") | roundCorner(radius: 4)
    chain f = blur(radius: 1) as "soft"
    chain g = filter(name: CIColorControls, inputContrast: 1.2, inputSaturation: 0)
    https://e.com/1.jpg a b c original id=one
    https://e.com/2.jpg d e f g original
    https://e.com/3.jpg d noDiskRead noDiskWrite
    """
  private static let oldest = """
    client sdwebimage 5.0
    cache cache
    store-cache-type disk
    chain b = roundCorner(radius: 8, corners: topLeft+bottomRight, borderWidth: 1, borderColor: red) | crop(rect: (0, 0, 5, 5))
    chain e = filter(name: CISepiaTone) | custom("a") | tint(color: red) | roundCorner(radius: 4)
    https://e.com/1.jpg b original id=one
    https://e.com/2@2x.jpg e offline
    """

  private func code(_ job: String) throws -> String {
    WarmedRequests(try #require(Preheat.plan(job).plan)).swift(withKeys: true)
  }

  @Test func aContextServesViewsOfBothKinds() throws {
    let code = try code(Self.newest)
    #expect(
      code.contains(
        #"CIFilter(name: "CIColorControls", parameters: ["inputContrast": 1.2, "inputSaturation": 0]) ?? CIFilter()"#
      ))
    #expect(code.contains("static func fContext() -> [SDWebImageContextOption: Any] {"))
    #expect(code.contains("options: [], context: fContext())"))
    #expect(
      code.contains("WebImage(url: URL(string: url), context: fContext()).resizable()"))
    #expect(code.components(separatedBy: "import SDWebImageSwiftUI").count == 2, "once")
    // Only chains that a source with a key of its own asks for have a filter.
    #expect(code.components(separatedBy: ".cacheKeyFilter: SDWebImageCacheKeyFilter {").count == 5)
  }

  /// A scale that the job names counts for keys with another one, also a scale of 1.
  @Test(arguments: [("", 0), ("scale 1\n", 1), ("scale 2\n", 1)])
  func aNamedScaleIsTheRequestsFactor(setting: String, count: Int) throws {
    let job = "client sdwebimage 5\ncache c\n\(setting)https://e.com/1@2x.jpg blur(radius: 1)"
    let requests = WarmedRequests(try #require(Preheat.plan(job).plan))
    for code in [requests.swift(withKeys: false), requests.objectiveC(withKeys: false) ?? ""] {
      #expect(code.components(separatedBy: "mageScaleFactor").count == 1 + count, "\(code)")
    }
    if setting.hasPrefix("scale 1") {
      #expect(requests.swift(withKeys: false).contains(".imageScaleFactor: 1,"))
    }
  }

  @Test(
    .enabled(if: SwiftCompiler.isThere), arguments: [newest, "scale 2\n" + newest, oldest], [true, false])
  func theCodeTypechecks(job: String, hasSwiftUI: Bool) async throws {
    let code = try code(job)
    let isOldest = job == Self.oldest
    let complaint = try await OwnThread {
      try Self.complaint(about: code, isOldest: isOldest, hasSwiftUI: hasSwiftUI)
    }.value
    #expect(complaint == nil, "\(code)")
  }

  /// What the compiler says; nil for nothing.
  static func complaint(about code: String, isOldest: Bool = false, hasSwiftUI: Bool = false) throws
    -> String?
  {
    let folder = try TemporaryFolder()
    let common =
      [
        "-swift-version", "6", "-I", folder.url.path, "-module-cache-path", folder.file("cache").path,
        "-D", "NO_UIKIT",
      ] + (isOldest ? ["-D", "OLDEST"] : [])
    // The words of UIKit stand with those of SDWebImage.
    for module in ["UIKit", "SDWebImage"] + (hasSwiftUI ? ["SwiftUI", "SDWebImageSwiftUI"] : []) {
      let text = module == "UIKit" ? "" : try stub(module)
      let file = folder.file("\(module).swift")
      try Data(text.utf8).write(to: file)
      let complaint = try SwiftCompiler.complaint(
        common + [
          "-parse-as-library", "-emit-module", "-module-name", module, "-o",
          folder.file("\(module).swiftmodule").path, file.path,
        ])
      if let complaint { return complaint }
    }
    try Data(code.utf8).write(to: folder.file("Warmed.swift"))
    return try SwiftCompiler.complaint(common + ["-typecheck", folder.file("Warmed.swift").path])
  }

  private static func stub(_ module: String) throws -> String {
    try String(
      contentsOf: Fixtures.folder.appendingPathComponent("code/\(module).swift.txt"), encoding: .utf8)
  }
}
