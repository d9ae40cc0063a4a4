import Foundation
import TestSupport
import Testing

@testable import KingfisherCache

@Suite(.timeLimit(.minutes(10)))
struct EncodedImageHeaderTests {
  @Test func sizesAreReadFromTheBeginningOfFiles() throws {
    let folder = Fixtures.folder.appendingPathComponent("images")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    #expect(!files.isEmpty)
    for file in files where ["png", "jpg", "gif", "webp", "avif", "heic"].contains(file.pathExtension) {
      let image = try #require(
        KFCrossPlatformImage(data: Data(contentsOf: file)), "\(file.lastPathComponent)")
      #expect(image.pixelWidth > 0 && image.pixelHeight > 0)
    }
  }

  /// Two frames, a local colour table in the second, a comment in between.
  private static let gif =
    Array("GIF89a".utf8) + [5, 0, 7, 0, 0x80, 0, 0] + [UInt8](repeating: 0, count: 6)
    + [0x2C, 0, 0, 0, 0, 5, 0, 7, 0, 0, 2, 2, 0x44, 0x01, 0]
    + [0x21, 0xFE, 1, 0x2C, 0]
    + [0x2C, 0, 0, 0, 0, 5, 0, 7, 0, 0x81] + [UInt8](repeating: 0, count: 12) + [2, 1, 0x44, 0, 0x3B]

  @Test func framesOfAnAnimationCount() throws {
    let image = try #require(KFCrossPlatformImage(data: Data(Self.gif)))
    #expect(image.frameCount == 2)
    #expect(image.cost == 5 * 7 * 4 * 2)
  }

  @Test func everyPrefixAndEveryFlippedByteIsSurvived() {
    for length in 0...Self.gif.count { _ = KFCrossPlatformImage(data: Data(Self.gif.prefix(length))) }
    let samples = [
      Self.gif, [UInt8](Data.pngBeginning(3, 4)),
      [0xFF, 0xD8, 0xFF, 0xE0, 0, 2, 0xFF, 0xC0, 0, 9, 8, 0, 1, 0, 1],
    ]
    for sample in samples {
      for index in sample.indices {
        for value: UInt8 in [0, 0x7F, 0xFF] {
          var bytes = sample
          bytes[index] = value
          _ = KFCrossPlatformImage(data: Data(bytes))
        }
      }
    }
  }

  @Test(arguments: [
    [], Array("<html>".utf8), [0xFF, 0xD8, 0xFF], Array("GIF8".utf8), [UInt8](Data.pngBeginning(0, 4)),
  ])
  func whatIsNoImageIsNone(bytes: [UInt8]) {
    #expect(KFCrossPlatformImage(data: Data(bytes)) == nil)
  }
}
