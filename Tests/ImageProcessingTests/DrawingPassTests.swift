import Foundation
import TestSupport
import Testing

@testable import ImageProcessing
@testable import Pictures

/// A row of `device-pixels/drawings.tsv`: what a reference implementation of Core Graphics' drawing made of a picture.
struct DrawingRow: Sendable, CustomTestStringConvertible {
  private static let folder = "device-pixels"
  static let all =
    (try? Fixtures.table("\(folder)/drawings.tsv", in: Fixtures.folder))?.map(DrawingRow.init) ?? []

  var fields: [String: String]

  private func number(_ name: String) -> Double { fields[name].flatMap(Double.init) ?? .nan }

  var testDescription: String { fields["result"] ?? "" }
  var isThumbnail: Bool { number("is_thumbnail") == 1 }

  private func file(_ name: String) throws -> [UInt8] {
    let path = "\(Self.folder)/\(fields[name] ?? "").png"
    return [UInt8](try Data(contentsOf: Fixtures.folder.appendingPathComponent(path)))
  }

  func source() throws -> Raster { try render(try file("source"), []).image() }

  /// The numbers of the file are weighted by alpha already.
  func result() throws -> [UInt8] {
    try VipsSource(try file("result")).image(.png, shrink: 1, isStrict: true).inMemory().samples
  }

  func placement(clear: Bool) -> Placement {
    let canvas = (Int(number("canvas_width")), Int(number("canvas_height")))
    var placement = Placement(
      canvas, x: number("x"), y: number("y"), width: number("width"), height: number("height"))
    placement.isThumbnail = isThumbnail
    placement.isClear = clear
    return placement
  }
}

@Suite(.timeLimit(.minutes(10))) struct DrawingPassTests {
  @Test func theTableIsThere() { #expect(DrawingRow.all.count > 50) }

  @Test(arguments: DrawingRow.all) func theBytesAreThoseOfTheReference(row: DrawingRow) throws {
    let drawn = try row.source().drawn(row.placement(clear: true), reducesFirst: true).pixels().bytes
    let wanted = try row.result()
    #expect(drawn.count == wanted.count)
    let differences = zip(drawn, wanted).map { abs(Int($0) - Int($1)) }
    #expect(differences.max() ?? 255 <= 1)
    #expect(differences.count { $0 != 0 } <= max(differences.count / 200, 12))
  }

  @Test(arguments: DrawingRow.all) func everyProcessorHasTheSameBytes(row: DrawingRow) throws {
    let source = try row.source()
    func drawn(plain: Bool) throws -> [UInt8] {
      let pass = try DrawingPass(source.rowFormat, [row.placement(clear: false)], reducesFirst: true)
      if plain { pass.usePlainLoops() }
      try pass.take(source)
      return pass.canvases[0].samples
    }
    #expect(try drawn(plain: true) == drawn(plain: false))
  }

  @Test func aPlainPictureStaysPlain() throws {
    for size in [63.0, 40, 17, 3, 1] {
      for steps in [[RenderStep.resize(size, size)], [.thumbnail(size)], [.resizing(size, 20.5)]] {
        let samples = try render(TestPicture.plain(64, 64, [200, 100, 7]).png(), steps).image().samples
        #expect(Array(Set(samples)).sorted() == [7, 100, 200] || size == 1 || steps[0].name == "resizing")
      }
    }
  }

  @Test func aPictureWithAlphaLetsNoHiddenColourBleed() throws {
    // Red that shows beside green that does not.
    let picture = TestPicture(64, 64, bands: 4) { x, _, band in
      x < 32 ? [255, 0, 0, 255][band] : [0, 255, 0, 0][band]
    }
    let samples = try render(picture.png(), [.resize(20, 20)]).image().samples
    for pixel in stride(from: 0, to: samples.count, by: 4) where samples[pixel + 3] > 8 {
      #expect(samples[pixel] > 250 && samples[pixel + 1] < 5)
    }
  }

  @Test(arguments: 1...8) func aTurnedPictureShowsTheSamePart(orientation: Int) throws {
    let upright = TestPicture.gradient(160, 120)
    let file = Exif.insert(
      Exif.block(orientation: orientation), into: try upright.stored(as: orientation).jpeg(quality: 100))
    for step in [
      RenderStep.resize(30, 60, crop: true), .letterbox(width: 40, height: 41), .thumbnail(33),
    ] {
      let turned = try render(file, [step]).image()
      let wanted = try render(try upright.jpeg(quality: 100), [step]).image()
      #expect(turned.width == wanted.width && turned.height == wanted.height)
      let differences = zip(turned.samples, wanted.samples).map { abs(Int($0) - Int($1)) }
      #expect(differences.max() ?? 255 <= 12)
      #expect(differences.reduce(0, +) <= differences.count * 2)
    }
  }

  /// The device decodes a JPEG no larger than it draws it, unless the client decodes first.
  @Test func aBitmapIsDrawnFromAllPixels() throws {
    let file = try TestPicture.noise(160, 120).jpeg()
    func drawn(bitmap: Bool) throws -> [UInt8] {
      let step = RenderStep.Resizing(width: 20, height: 15, contentMode: nil, scale: 1, isBitmap: bitmap)
      return try render(file, [.resizing(step)]).image().samples
    }
    #expect(try drawn(bitmap: true) != drawn(bitmap: false))
    let whole = try VipsSource(file).image(.jpeg, shrink: 1, isStrict: true).inMemory()
    let direct = try whole.drawn(Placement(all: (20, 15))).samples
    let differences = zip(try drawn(bitmap: true), direct).map { abs(Int($0) - Int($1)) }
    #expect(differences.max() ?? 255 <= 3)
  }
}
