import Foundation
import TestSupport
import Testing

/// What `code --swift` prints for an app with Nuke compiles against this package's own requests, too.
@Suite(.timeLimit(.minutes(10)))
struct GeneratedNukeCodeTests {
  private static let lines = """
    chain thumbed = thumbnail(maxPixelSize: 64, shouldCacheImmediately: false)
    https://e.com/1.jpg card original
    https://e.com/1.jpg resize(size: 44x33.5, unit: pixels, contentMode: aspectFit, upscale: true) | gaussianBlur
    https://e.com/2.jpg circle(border: (color: .red, width: 2)) | roundedCorners(radius: 8, unit: pixels)
    https://e.com/3.jpg coreImageFilter(name: CISepiaTone) | coreImage(name: CISepiaTone, identifier: "sepia")
    https://e.com/4.jpg circle as "com.example.round" custom("a\\"b\\\\c")
    https://e.com/5.jpg thumbed id="i\\"d"
    """

  /// What the compiler says, nil for nothing; `module` stands where the app imports Nuke.
  private static func complaint(about code: String, in folder: TemporaryFolder) throws -> String? {
    let file = folder.file("Warmed.swift")
    try Data(code.utf8).write(to: file)
    return try SwiftCompiler.complaint([
      "-typecheck", "-swift-version", "6", "-warnings-as-errors", "-module-cache-path",
      folder.file("cache").path, "-I", BuiltCommand.products.appendingPathComponent("Modules").path,
      file.path,
    ])
  }

  private static func code(for version: String, _ folder: TemporaryFolder) throws -> String {
    let hasSizes = !["nuke 10", "nuke 11"].contains(version)
    let more =
      hasSizes ? "https://e.com/6.jpg thumbnail(size: 10x20, unit: pixels, contentMode: aspectFit)" : ""
    let job =
      "client \(version)\ncache cache\nscale 2 3\nchain card = resize(width: 320)\n\(lines)\n\(more)\n"
    try Data(job.utf8).write(to: folder.file("test.job"))
    let made = try BuiltCommand.run(["code", "test.job", "--swift", "--tests"], in: folder.url)
    #expect(made.status == 0, "\(made.messages)")
    return made.output
  }

  @Test(arguments: ["nuke 10", "nuke 11", "nuke 12", "nuke 13"])
  func itCompilesAgainstNukeCache(version: String) async throws {
    try await OwnThread {
      let folder = try TemporaryFolder()
      let code = try Self.code(for: version, folder)
      #expect(code.contains("import Nuke\n") && code.contains("import UIKit\n"))
      // No screen, no UIKit: NukeCache has the colour. The keys of `userInfo` before Nuke 13 are the app's.
      let here =
        code.replacing("import Nuke\n", with: "import NukeCache\n").replacing("import UIKit\n", with: "")
        + "extension String { static let imageIdKey = \"i\", thumbnailKey = \"t\" }\n"
      let complaint = try Self.complaint(about: here, in: folder)
      #expect(complaint == nil, "\(complaint ?? "")")
      // A check that can fail.
      let wrong = here.replacing("ImageRequest(url:", with: "ImageRequest(address:")
      #expect(try Self.complaint(about: wrong, in: folder) != nil)
    }.value
  }
}
