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

  /// The weights of Lanczos3 for one axis, in floating point and without a table.
  private func weights(_ length: Int, _ size: Int) -> [[(index: Int, weight: Double)]] {
    let scale = max(Double(length) / Double(size), 1)
    func lobe(_ x: Double) -> Double { x == 0 ? 1 : sinc(x) * sinc(x / 3) }
    func sinc(_ x: Double) -> Double { sin(x * .pi) / (x * .pi) }
    return (0..<size).map { at in
      let middle = (Double(at) + 0.5) * Double(length) / Double(size) - 0.5
      let first = Int((middle - 3 * scale).rounded(.up))
      let last = Int((middle + 3 * scale).rounded(.down))
      let taps = (first...last).map { (min(max($0, 0), length - 1), lobe((Double($0) - middle) / scale)) }
      let sum = taps.reduce(0) { $0 + $1.1 }
      return taps.map { ($0.0, $0.1 / sum) }
    }
  }

  /// The PSNR of a result against Lanczos3 in floating point, colours weighted by alpha.
  private func psnr(_ picture: TestPicture, _ drawn: Raster) -> Double {
    let bands = picture.bands
    func weighted(_ samples: [UInt8]) -> [Double] {
      samples.indices.map { at in
        let alpha = bands % 2 == 0 ? Double(samples[at / bands * bands + bands - 1]) / 255 : 1
        return at % bands == bands - 1 && bands % 2 == 0 ? Double(samples[at]) : Double(samples[at]) * alpha
      }
    }
    let source = weighted(picture.samples)
    let across = weights(picture.width, drawn.width)
    let down = weights(picture.height, drawn.height)
    var rows: [Double] = []
    for y in 0..<picture.height {
      for taps in across {
        for band in 0..<bands {
          rows.append(
            taps.reduce(0) { $0 + source[(y * picture.width + $1.index) * bands + band] * $1.weight })
        }
      }
    }
    let result = weighted(drawn.samples)
    var error = 0.0
    for (y, taps) in down.enumerated() {
      for at in 0..<drawn.width * bands {
        let level = taps.reduce(0) { $0 + rows[$1.index * drawn.width * bands + at] * $1.weight }
        error += pow(min(max(level, 0), 255) - result[y * drawn.width * bands + at], 2)
      }
    }
    return 10 * log10(65_025 * Double(result.count) / error)
  }

  /// Smooth, with edges at an angle.
  private func picture(_ bands: Int) -> TestPicture {
    TestPicture(300, 200, bands: bands) { x, y, band in
      if band == bands - 1, bands % 2 == 0 { return (x + y) % 150 < 100 ? 255 : 2 * (y % 100) }
      let stripe = (3 * x + 5 * y + 40 * band) % 160
      return stripe < 60 ? 230 : stripe < 110 ? 20 + x / 3 : 128
    }
  }

  @Test(arguments: 1...4) func theResultIsThatOfLanczos3(bands: Int) throws {
    let picture = picture(bands)
    for side in [140.0, 90, 37] {
      let steps: [RenderStep] = [.resize(side, side, .aspectFit)]
      let ours = psnr(picture, try image(picture.png(), steps, .libvips))
      let devices = psnr(picture, try image(picture.png(), steps, .device))
      #expect(ours > 36 && ours > devices + 3, "\(side): \(ours) dB, and the device's \(devices) dB")
    }
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
