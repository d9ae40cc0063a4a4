import Foundation
import TestSupport
import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

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
    try Fixtures.bytes("\(Self.folder)/\(fields[name] ?? "").png")
  }

  func source() throws -> Raster { try render(try file("source"), []).image() }

  /// The numbers of the file are weighted by alpha already.
  func result() throws -> [UInt8] {
    try decoded(file("result")).samples
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
      #expect(isNear(turned.samples, wanted.samples, by: 12) && meanDifference(turned, wanted) <= 2)
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
    let whole = try decoded(file, .jpeg)
    let direct = try whole.drawn(Placement(all: (20, 15))).samples
    #expect(try isNear(drawn(bitmap: true), direct, by: 3))
  }

  private func image(_ source: [UInt8], _ steps: [RenderStep], _ drawing: Drawing) throws -> Raster {
    try render(source, steps, drawing: drawing).image()
  }

  /// The levels of a row drawn by Lanczos3, in floating point and without a table.
  private func lanczos(_ row: [UInt8], _ size: Int) -> [Double] {
    let scale = max(Double(row.count) / Double(size), 1)
    func lobe(_ x: Double) -> Double { x == 0 ? 1 : sinc(x) * sinc(x / 3) }
    func sinc(_ x: Double) -> Double { sin(x * .pi) / (x * .pi) }
    return (0..<size).map { at in
      let middle = (Double(at) + 0.5) * Double(row.count) / Double(size) - 0.5
      let taps = Int((middle - 3 * scale).rounded(.up))...Int((middle + 3 * scale).rounded(.down))
      let weights = taps.map { lobe((Double($0) - middle) / scale) }
      let levels = taps.map { Double(row[min(max($0, 0), row.count - 1)]) }
      let sum = zip(weights, levels).reduce(0) { $0 + $1.0 * $1.1 }
      return min(max(sum / weights.reduce(0, +), 0), 255)
    }
  }

  /// Across and down, against the PSNR of the device's drawing.
  @Test(arguments: [140, 90, 37], [true, false])
  func theResultIsThatOfLanczos3(side: Int, isAcross: Bool) throws {
    let row = (0..<300).map { at -> UInt8 in
      let stripe = at * 3 % 160
      return UInt8(stripe < 60 ? 230 : stripe < 110 ? 20 + at / 3 : 128)
    }
    let (long, short) = (Double(side), 20.0)
    let picture =
      isAcross
      ? TestPicture(300, 20, bands: 1) { x, _, _ in Int(row[x]) }
      : TestPicture(20, 300, bands: 1) { _, y, _ in Int(row[y]) }
    let steps = [RenderStep.resizing(isAcross ? long : short, isAcross ? short : long)]
    let wanted = lanczos(row, side)
    let psnr = try [Drawing.libvips, .device].map { drawing -> Double in
      let image = try image(picture.png(), steps, drawing)
      var error = 0.0
      for at in 0..<side {
        let level = isAcross ? image.pixel(at, 9)[0] : image.pixel(9, at)[0]
        error += pow(Double(level) - wanted[at], 2)
      }
      return 10 * log10(65_025 * Double(side) / error)
    }
    #expect(psnr[0] > 36 && psnr[0] > psnr[1] + 3, "\(psnr)")
  }

  static let placed: [[RenderStep]] = [
    [.resize(20, 20)], [.resize(33, 20, crop: true)], [.resize(500, 500, upscale: true)], [.thumbnail(24)],
    [.thumbnail(24, always: false)], [.resizing(30, 20)], [.resizing(33.3, 20.7)], [.resizing(300, 20)],
    [.letterbox(width: 40, height: 40.5)], [.circle(border: nil), .resize(31, 31)],
    [.resize(70, 70), .resizing(90, 9)],
    [.resize(20, 20, crop: true), .circle(border: nil)],
    [.resizing(30, 20), .boxBlur(width: 5, passes: 3, keepsOpaque: true), .tint(.red)],
  ]

  @Test(arguments: placed) func sizesAndChannelsAreThoseOfTheDevice(steps: [RenderStep]) throws {
    let photo = TestPicture.gradient(301, 203)
    let turned = Exif.insert(Exif.block(orientation: 6), into: try photo.jpeg())
    for source in [
      try photo.jpeg(), turned, TestPicture.gradient(301, 203, bands: 4).png(),
      TestPicture.gradient(90, 300, bands: 1).png(),
    ] {
      let (device, ours) = (try image(source, steps, .device), try image(source, steps, .libvips))
      #expect((ours.width, ours.height, ours.bands) == (device.width, device.height, device.bands))
      // Gradients look alike, whichever way they are drawn. An edge that the device covers in part is whole.
      let pairs = try zip(ours.pixels().bytes, device.pixels().bytes)
      let apart = pairs.reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
      #expect(
        apart < 8 * ours.width * ours.height * 4, "\(Double(apart) / Double(ours.width * ours.height * 4))")
    }
  }

  @Test func theEmbeddedThumbnailIsTakenAsBefore() throws {
    let thumbnail = try TestPicture.plain(160, 120, [9, 9, 200]).jpeg()
    let source = Exif.insert(
      Exif.block(thumbnail: thumbnail), into: try TestPicture.plain(800, 600, [200, 9, 9]).jpeg())
    for drawing in Drawing.allCases {
      let drawn = try render(source, [.resize(80, 60)], embedded: .prefer, drawing: drawing)
      #expect(drawn.note == "drawn from the embedded thumbnail")
    }
  }

  @Test func aPictureThatNothingScalesHasOneDrawing() throws {
    let picture = TestPicture.noise(60, 40).png()
    for steps: [RenderStep] in [[], [.circle(border: nil)], [.gaussianBlur(radius: 3, keepsOpaque: true)]] {
      #expect(RenderOutput(steps: steps, encoding: .png).drawn(by: .libvips).drawing == nil)
      #expect(try render(picture, steps, drawing: .libvips).bytes == render(picture, steps).bytes)
    }
  }
}
