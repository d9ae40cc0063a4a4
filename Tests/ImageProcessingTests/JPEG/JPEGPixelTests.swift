import Foundation
import TestSupport
import Testing

@testable import ImageProcessing

/// The pixels of JPEG files, against those of a reference implementation (Tests/Fixtures/jpeg/README.md).
@Suite(.timeLimit(.minutes(5))) struct JPEGPixelTests {
  static let names = [
    "444", "422", "420", "440", "411", "410", "420-progressive", "420-restarts", "420-scans", "rgb", "grey",
    "tiny",
  ]
  static let shrinks = [1, 2, 4, 8]

  private static func file(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: Fixtures.folder.appendingPathComponent("jpeg/\(name)")))
  }

  /// The largest difference, and the share of samples without one.
  private static func compare(_ a: some Collection<UInt8>, _ b: some Collection<UInt8>) -> (
    most: Int, equal: Double
  ) {
    let differences = zip(a, b).map { abs(Int($0) - Int($1)) }
    return (differences.max() ?? 0, Double(differences.count { $0 == 0 }) / Double(max(differences.count, 1)))
  }

  @Test(arguments: names) func aPictureIsWhatTheReferenceMakesOfIt(name: String) throws {
    let bytes = try Self.file("\(name).jpg")
    var golden = try Self.file("\(name).raw")[...]
    let plain = try #require(PlainJPEG(bytes))
    for shrink in Self.shrinks {
      let image = try #require(plain.image(of: bytes, shrink: shrink))
      #expect(image.width == max(plain.width / shrink, 1) && image.height == max(plain.height / shrink, 1))
      let samples = image.samples
      #expect(golden.count >= samples.count)
      let (most, equal) = Self.compare(samples, golden.prefix(samples.count))
      #expect(most <= 1 && equal >= 0.995, "1/\(shrink): \(most), \(equal)")
      golden = golden.dropFirst(samples.count)
    }
    #expect(golden.isEmpty)
  }

  @Test(arguments: names) func loopsForAllProcessorsMakeTheSame(name: String) throws {
    let bytes = try Self.file("\(name).jpg")
    let plain = try #require(PlainJPEG(bytes))
    for shrink in Self.shrinks {
      let image = try #require(plain.image(of: bytes, shrink: shrink))
      #expect(image.samples == plain.image(of: bytes, shrink: shrink, how: PlainJPEG.anywhere)?.samples)
    }
  }

  /// A damaged byte changes pixels, or the file is refused: at all sizes, and whatever the loops.
  @Test(arguments: names) func aDamagedFileIsTakenOrLeftAtAllSizes(name: String) throws {
    let bytes = try Self.file("\(name).jpg")
    for index in stride(from: 2, to: bytes.count, by: 5) {
      var damaged = bytes
      damaged[index] ^= 0x41
      guard let plain = PlainJPEG(damaged), plain.width * plain.height < 1 << 20 else { continue }
      let images = Self.shrinks.map { plain.image(of: damaged, shrink: $0) }
      #expect(Set(images.map { $0 == nil }).count == 1, "byte \(index)")
      for (shrink, image) in zip(Self.shrinks, images) {
        let other = plain.image(of: damaged, shrink: shrink, how: PlainJPEG.anywhere)
        #expect(image?.samples == other?.samples, "byte \(index), 1/\(shrink)")
      }
    }
  }
}
