import Foundation
import TestSupport
import Testing

@testable import ImageProcessing
@testable import Pictures

/// What libjpeg-turbo gets without libvips, and what not.
/// The Huffman codes of files with one sequential scan libjpeg reads only where they are out of order.
@Suite(.timeLimit(.minutes(10))) struct PlainJPEGTests {
  static let jpeg = Result { try TestPicture.noise(40, 30).jpeg() }

  private static func piece(_ number: UInt8, of all: UInt8, _ data: [UInt8]) -> [UInt8] {
    Array("ICC_PROFILE".utf8) + [0, number, all] + data
  }

  @Test func whatIsNotInGoodOrderIsLeftToLibvips() throws {
    let bytes = try Self.jpeg.get()
    let comment = Array("x".utf8)
    #expect(PlainJPEG(Exif.insert(0xFE, comment, into: bytes)) != nil)
    let exif = Exif.insert(Exif.block(orientation: 3), into: bytes)
    #expect(PlainJPEG(exif)?.orientation == 3)
    let odd: [(String, [UInt8])] = [
      ("two EXIF blocks", Exif.insert(Exif.block(orientation: 1), into: exif)),
      ("an orientation that is none", Exif.insert(Exif.block(orientation: 9), into: bytes)),
      ("arithmetic coding", Exif.insert(0xCC, [0, 0], into: bytes)),
      ("a hierarchy", Exif.insert(0xDE, comment, into: bytes)),
      ("bytes between segments", Array(bytes.prefix(2)) + [0] + bytes.dropFirst(2)),
      ("fill bytes", Array(bytes.prefix(2)) + [0xFF] + bytes.dropFirst(2)),
      ("a segment of one byte", Array(bytes.prefix(2)) + [0xFF, 0xFE, 0, 1] + bytes.dropFirst(2)),
      ("a segment beyond the end", Array(bytes.prefix(2)) + [0xFF, 0xFE, 0xFF, 0xFF] + bytes.dropFirst(2)),
      ("a profile's second half", Exif.insert(0xE2, Self.piece(2, of: 2, [1, 2, 3]), into: bytes)),
      ("a profile's first half", Exif.insert(0xE2, Self.piece(1, of: 2, [1, 2, 3]), into: bytes)),
      ("an empty profile", Exif.insert(0xE2, Self.piece(1, of: 1, []), into: bytes)),
      ("no bytes", []), ("a marker", [0xFF, 0xD8]),
    ]
    for (name, bytes) in odd { #expect(PlainJPEG(bytes) == nil, "\(name)") }
  }

  @Test func moreScansThanThereCanBeAreLeftToLibvips() throws {
    let picture = try TestPicture.noise(16, 16).raster()
    let bytes = try picture.save("jpegsave_buffer", "Q=85", "interlace=true")
    #expect(PlainJPEG(bytes)?.image(of: bytes, shrink: 1) != nil)
    // The last scan once more and once more; a scan is a segment and the data behind it.
    let last = try #require(bytes.indices.dropLast().last { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
    let scan = Array(bytes[last..<bytes.count - 2])
    let bomb = Array(bytes.dropLast(2)) + (0..<200).flatMap { _ in scan } + [0xFF, 0xD9]
    #expect(PlainJPEG(bomb)?.image(of: bomb, shrink: 1) == nil)
  }

  static let shrinks = [1, 2, 4, 8]
  /// Two restarts in it.
  static let restarts = Result { try file(40, 30, "restart-interval=2") }

  private static func file(
    _ width: Int, _ height: Int, bands: Int = 3, quality: Int = 90, mode: String = "on", _ option: String
  ) throws -> [UInt8] {
    try TestPicture.noise(width, height, bands: bands).raster()
      .save("jpegsave_buffer", "Q=\(quality)", "subsample-mode=\(mode)", option)
  }

  private static func samples(_ bytes: [UInt8]) -> [[UInt8]]? {
    guard let plain = PlainJPEG(bytes) else { return nil }
    let images = shrinks.compactMap { plain.image(of: bytes, shrink: $0)?.samples }
    return images.count == shrinks.count ? images : nil
  }

  /// Where markers of the data and of the end are.
  private static func markers(_ bytes: [UInt8]) -> [Int] {
    bytes.indices.dropLast().filter { bytes[$0] == 0xFF && (0xD0...0xD9).contains(bytes[$0 + 1]) && $0 > 0 }
  }

  /// libjpeg reads progressive files, in which the same coefficients are.
  @Test(arguments: [(1, 1), (7, 9), (16, 16), (33, 17), (250, 190)], [30, 75, 100])
  func coefficientsAreThoseOfAProgressiveFile(size: (Int, Int), quality: Int) throws {
    func file(_ bands: Int, _ mode: String, _ option: String) throws -> [UInt8] {
      try Self.file(size.0, size.1, bands: bands, quality: quality, mode: mode, option)
    }
    for (bands, mode) in [(1, "on"), (3, "on"), (3, "off")] {
      let theirs = try #require(Self.samples(file(bands, mode, "interlace=true")))
      for interval in [0, 1, 5, 64] {
        let ours = try Self.samples(file(bands, mode, "restart-interval=\(interval)"))
        #expect(ours == theirs, "\(bands) bands, subsampling \(mode), a restart after \(interval)")
      }
    }
  }

  @Test func whatIsOutOfOrderIsRefused() throws {
    let bytes = try Self.restarts.get()
    #expect(Self.markers(bytes).count == 3)
    #expect(Self.samples(bytes) != nil)
    for count in 0..<bytes.count {
      #expect(Self.samples(Array(bytes.prefix(count))) == nil, "\(count) bytes")
    }
    // More than libjpeg may have read ahead.
    let extra = [UInt8](repeating: 0x55, count: 40)
    for at in Self.markers(bytes) {
      #expect(Self.samples(Array(bytes[..<at]) + extra + bytes[at...]) == nil, "more before byte \(at)")
    }
    for at in Self.markers(bytes).dropLast() {
      for marker in 0xD0...0xD9 as ClosedRange<UInt8> where marker != bytes[at + 1] {
        var wrong = bytes
        wrong[at + 1] = marker
        #expect(Self.samples(wrong) == nil, "\(marker) at byte \(at)")
      }
      #expect(Self.samples(Array(bytes[..<at]) + bytes[(at + 2)...]) == nil, "none at byte \(at)")
    }
  }

  /// libjpeg begins again where something is unusual, after strips that have been drawn.
  @Test func whatIsOnlyUnusualHasTheSamePixels() throws {
    let bytes = try Self.restarts.get()
    let samples = try #require(Self.samples(bytes))
    for at in Self.markers(bytes) {
      let filled = Array(bytes[..<at]) + [0xFF, 0xFF] + bytes[at...]
      #expect(Self.samples(filled) == samples, "fill bytes at byte \(at)")
    }
    let comment: [UInt8] = [0xFF, 0xFE, 0, 3, 1]
    #expect(Self.samples(bytes.dropLast(2) + comment + bytes.suffix(2)) == samples)
    #expect(Self.samples(bytes.dropLast(2) + [0xFF, 0xD2] + bytes.suffix(2)) == samples)
    #expect(Self.samples(bytes + [1, 2, 3]) == samples)
  }
}
