import Foundation
import TestSupport
import Testing

@testable import ImageProcessing

/// The Huffman codes of files with one sequential scan, which libjpeg reads only where they are out of order.
@Suite(.timeLimit(.minutes(10))) struct SequentialScanTests {
  static let shrinks = [1, 2, 4, 8]
  /// Two restarts in it.
  static let jpeg = Result { try file(40, 30, "restart-interval=2") }

  private static func file(
    _ width: Int, _ height: Int, bands: Int = 3, quality: Int = 90, mode: String = "on", _ option: String
  ) throws -> [UInt8] {
    try render(TestPicture.noise(width, height, bands: bands).png(), []).image()
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

  @Test func aFileCutAnywhereIsRefused() throws {
    let bytes = try Self.jpeg.get()
    #expect(Self.markers(bytes).count == 3)
    #expect(Self.samples(bytes) != nil)
    for count in 0..<bytes.count {
      #expect(Self.samples(Array(bytes.prefix(count))) == nil, "\(count) bytes")
    }
  }

  @Test func bytesBeforeAMarkerAreRefused() throws {
    let bytes = try Self.jpeg.get()
    for at in Self.markers(bytes) {
      // More than libjpeg may have read ahead.
      let extra = [UInt8](repeating: 0x55, count: 40)
      #expect(Self.samples(Array(bytes[..<at]) + extra + bytes[at...]) == nil, "byte \(at)")
    }
  }

  @Test func aRestartOutOfOrderIsRefused() throws {
    let bytes = try Self.jpeg.get()
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
    let bytes = try Self.jpeg.get()
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

  /// Whatever a byte becomes, all sizes agree and libvips takes what is taken.
  @Test func whatIsTakenOfADamagedFileLibvipsTakesToo() throws {
    let bytes = try Self.jpeg.get()
    var (taken, refused) = (0, 0)
    for index in bytes.indices.dropFirst(2) {
      var damaged = bytes
      damaged[index] ^= 1 << UInt8(index % 8)
      guard let plain = PlainJPEG(damaged), plain.width * plain.height < 1 << 16 else { continue }
      let images = Self.shrinks.map { plain.image(of: damaged, shrink: $0) }
      #expect(Set(images.map { $0 == nil }).count == 1, "byte \(index)")
      guard images[0] != nil else {
        refused += 1
        continue
      }
      taken += 1
      #expect(throws: Never.self, "byte \(index)") {
        try VipsSource(damaged).image(.jpeg, shrink: 1, isStrict: true).inMemory()
      }
    }
    #expect(taken > 0 && refused > 0)
  }
}
