import Foundation
import TestSupport
import Testing

@testable import ImageProcessing
@testable import Pictures

/// Pictures as ImageMagick makes them, another implementation of everything. Core Graphics draws sharper, and an eighth of a
/// JPEG from the low frequencies alone.
@Suite(.timeLimit(.minutes(10)))
struct ReferencePixelTests {
  private static let convert = "/usr/bin/convert"
  private static let isHere = Corpus.isHere && FileManager.default.isExecutableFile(atPath: convert)
  private static let least = 0.93

  @Test(.enabled(if: isHere), arguments: ["photos", "orientation"])
  func resizingLooksLikeImageMagicks(part: String) async throws {
    try await OwnThread {
      for (name, bytes) in try Corpus.files(part)
      where ImageFormat.sniff(bytes).map(ImageFormat.trusted.contains) == true {
        // Orientation of PNG in text blocks and XMP is an extension of ImageMagick's; devices ignore it.
        if part == "orientation", name.hasSuffix(".png") { continue }
        for side in [60.0, 320] {
          let ours = try render(bytes, [.resize(side, side, .aspectFit)])
          let size = "\(ours.width)x\(ours.height)!"
          let theirs = try Self.run(bytes, ["-auto-orient", "-resize", size])
          let value = similarity(try ours.image(), theirs)
          #expect(value >= Self.least, "\(name) at \(side): \(value)")
        }
      }
    }.value
  }

  /// Photographs and formulas alike: each pixel of the result is the mean of those it stands for.
  @Test(arguments: [2, 3, 5, 8, 16])
  func resizingLooksLikeTheMeanOfThePixels(factor: Int) throws {
    let source = TestPicture(40 * factor, 30 * factor) { x, y, band in
      let wave = 60 * sin(Double(x) / Double(3 * factor)) * cos(Double(y) / Double(4 * factor))
      return 128 + Int(wave) + (band == 0 ? x % 5 : y % 7)
    }
    let means = TestPicture(40, 30) { x, y, band in
      var sum = 0
      for row in 0..<factor {
        for column in 0..<factor {
          sum += Int(source.samples[((y * factor + row) * source.width + x * factor + column) * 3 + band])
        }
      }
      return sum / (factor * factor)
    }
    let ours = try render(source.png(), [.resize(40, 30)]).image()
    let reference = try render(means.png(), []).image()
    #expect(similarity(ours, reference) >= 0.98)
  }

  @Test func theMeasureTellsPicturesApart() throws {
    let picture = try render(TestPicture.gradient(64, 64).png(), []).image()
    let mirrored = try render(
      TestPicture(64, 64) { x, y, band in [255 - 4 * x, 4 * y, 128][band] }.png(), []
    ).image()
    #expect(similarity(picture, picture) == 1)
    #expect(similarity(picture, mirrored) < 0.9)
  }

  private static func run(_ source: [UInt8], _ arguments: [String]) throws -> Raster {
    let folder = try TemporaryFolder()
    let (input, output) = (folder.file("source"), folder.file("result.png"))
    try Data(source).write(to: input)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: convert)
    process.arguments =
      ["\(input.path)[0]"] + arguments + ["-colorspace", "sRGB", "-depth", "8", "PNG:\(output.path)"]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return try render([UInt8](try Data(contentsOf: output)), []).image()
  }
}
