import Foundation
import TestSupport
import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

/// HEIF and AVIF pictures whose colours libheif and libvips do not know in full (`Tests/Fixtures/colours`).
@Suite(.timeLimit(.minutes(10))) struct VideoColourTests {
  private func file(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: Fixtures.folder.appendingPathComponent("colours/\(name)")))
  }

  private func draw(_ name: String, keepsGamut: Bool = true) throws -> (image: Raster, note: String?) {
    try draw(file(name), keepsGamut: keepsGamut)
  }

  private func draw(_ bytes: [UInt8], keepsGamut: Bool = true) throws -> (image: Raster, note: String?) {
    let output = RenderRequest.Output(
      steps: [.resizing(60, 40)], encoding: .png, keepsGamut: keepsGamut)
    let (answer, payloads) = ImageRenderer.render(
      RenderRequest(outputs: [output], formats: [.avif, .heif]), bytes)
    switch answer.outputs[0] {
    case .encoded(_, _, _, _, let note):
      return (try VipsSource(payloads[0]).image(.png, shrink: 1, isStrict: true).inMemory(), note)
    case .failed(let failure): throw failure
    case .original, .pixels: throw KeptOriginal()
    }
  }

  private func pixel(_ image: Raster, _ x: Int, _ y: Int) -> [Int] {
    let at = (y * image.width + x) * image.bands
    return image.samples[at..<at + image.bands].map(Int.init)
  }

  @Test(arguments: ["p3-8-f.avif", "p3-10-l.avif"]) func primariesByNumbersAreAProfile(name: String) throws {
    let kept = try draw(name)
    #expect(isNear(pixel(kept.image, 10, 10), [220, 30, 30], by: 3))
    let made = try #require(TestProfile(reading: kept.image.rowFormat.profile))
    #expect(
      zip(made.lab([220, 30, 30]), TestProfile.p3.lab([220, 30, 30])).allSatisfy { abs($0 - $1) < 0.5 })
    let converted = try draw(name, keepsGamut: false)
    #expect(converted.image.rowFormat.profile.isEmpty)
    #expect(isNear(pixel(converted.image, 10, 10), [240, 0, 0], by: 3))
  }

  @Test(arguments: [
    ("grey-8-l.avif", [0], [255], [128]), ("grey-10-l.avif", [0], [255], [128]),
    ("grey-12-l.avif", [0, 200], [255, 200], [128, 200]), ("grid-grey-l.avif", [0], [255], [128]),
    ("grey-linear-profile.avif", [0], [255], [188]),
  ])
  func greyOfLimitedRangeIsBlackAndWhite(name: String, black: [Int], white: [Int], middle: [Int]) throws {
    let (image, note) = try draw(name)
    #expect(isNear(pixel(image, 10, 10), black, by: 2))
    #expect(isNear(pixel(image, 50, 10), white, by: 2))
    #expect(isNear(pixel(image, 50, 30), middle, by: 2))
    #expect(note == nil)
  }

  @Test(arguments: ["prem-8-f.avif", "prem-10-l.avif", "grid-prem.avif"])
  func weightedColoursAreNotWeightedTwice(name: String) throws {
    let image = try draw(name).image
    #expect(isNear(pixel(image, 10, 10), [220, 30, 30, 128], by: 3))
    #expect(isNear(pixel(image, 50, 30), [230, 220, 40, 128], by: 3))
  }

  @Test func weightedColoursOfHEICToo() throws {
    #expect(try isNear(pixel(draw("prem.heic").image, 10, 10), [255, 60, 60, 128], by: 4))
  }

  @Test(arguments: [
    ("pq-10.avif", "high dynamic range (PQ)"), ("hlg-8.avif", "high dynamic range (HLG)"),
    ("rgb-8-l.avif", "RGB of limited range"), ("ycgco-10.avif", "YCgCo of more than 8 bits"),
  ])
  func whatWouldBeWrongIsRefusedByName(name: String, kind: String) throws {
    let bytes = try file(name)
    #expect {
      try draw(name)
    } throws: {
      ($0 as? RenderFailure) == RenderFailure(.format, "AVIF pictures with \(kind) are not drawn")
    }
    // Its own bytes can be stored: an app may show them.
    #expect(proof(bytes) == nil)
  }

  /// Without an `nclx` box the AV1 data say it.
  @Test func numbersOfTheDataCount() throws {
    func bare(_ name: String) throws -> [UInt8] {
      var bytes = try file(name)
      let box = try #require(Data(bytes).range(of: Data("colrnclx".utf8)))
      bytes.replaceSubrange(box, with: Array("freenone".utf8))
      return bytes
    }
    let p3 = try draw(bare("p3-8-f.avif")).image
    #expect(try p3.rowFormat.profile == draw("p3-8-f.avif").image.rowFormat.profile)
    #expect(try isNear(pixel(draw(bare("grey-10-l.avif")).image, 10, 10), [0], by: 2))
    #expect(try isNear(pixel(draw(bare("grid-grey-l.avif")).image, 50, 10), [255], by: 2))
    #expect(throws: RenderFailure.self) { try draw(bare("pq-10.avif")) }
  }

  @Test func aProfileComesBeforeNumbers() throws {
    #expect(try isNear(pixel(draw("srgb-profile-pq.avif").image, 10, 10), [220, 30, 30], by: 3))
  }

  /// Bytes in the boxes that say it are changed: whatever comes out, nothing is fatal.
  @Test func damagedBoxesAreNeverFatal() throws {
    let bytes = try file("grid-prem.avif")
    for index in 32..<700 {
      for flip: UInt8 in [0x01, 0x80, 0xFF] {
        var damaged = bytes
        damaged[index] ^= flip
        _ = try? ImageHeader.read(damaged)
      }
    }
    for count in 0..<700 { _ = try? ImageHeader.read(Array(bytes.prefix(count))) }
  }
}
