import Foundation
import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

@Suite(.timeLimit(.minutes(10))) struct LibvipsDrawingTests {
  private func draw(
    _ source: [UInt8], _ steps: [RenderStep], _ drawing: Drawing, embedded: EmbeddedUse = .client
  ) throws -> (result: RenderAnswer.OutputResult, file: [UInt8]) {
    let output = RenderOutput(steps: steps, encoding: .png, embedded: embedded).drawn(by: drawing)
    let (answer, payloads) = ImageRenderer.render(RenderRequest(outputs: [output]), source)
    if case .failed(let failure) = answer.outputs[0] { throw failure }
    return (answer.outputs[0], payloads[0])
  }

  private func image(_ source: [UInt8], _ steps: [RenderStep], _ drawing: Drawing) throws -> Raster {
    try VipsSource(try draw(source, steps, drawing).file).image(.png, shrink: 1, isStrict: true).inMemory()
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

  @Test func aPictureWithAlphaLetsNoHiddenColourBleed() throws {
    let picture = TestPicture(64, 64, bands: 4) { x, _, band in
      x < 32 ? [255, 0, 0, 255][band] : [0, 255, 0, 0][band]
    }
    let samples = try image(picture.png(), [.resize(20, 20)], .libvips).samples
    for pixel in stride(from: 0, to: samples.count, by: 4) where samples[pixel + 3] > 0 {
      #expect(samples[pixel] == 255 && samples[pixel + 1] == 0)
    }
  }

  private static let placed: [[RenderStep]] = [
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

  @Test func bytesDoNotDependOnTheOtherResults() throws {
    for source in try SharingTests.sources() {
      let outputs = (SharingTests.chains + Self.placed).flatMap { steps in
        Drawing.allCases.map { RenderOutput(steps: steps, encoding: .png).drawn(by: $0) }
      }
      let alone = outputs.map { ImageRenderer.render(RenderRequest(outputs: [$0]), source).payloads }
      for order in [Array(outputs.indices), outputs.indices.reversed()] {
        let payloads = ImageRenderer.render(RenderRequest(outputs: order.map { outputs[$0] }), source)
          .payloads
        #expect(payloads == order.flatMap { alone[$0] })
      }
    }
  }

  /// What a worker holds and what it reads row by row must not differ.
  @Test func heldAndStreamedPicturesGiveTheSamePixels() throws {
    for source in [TestPicture.noise(700, 500).png(), TestPicture.noise(333, 500, bands: 4).png()] {
      let header = try ImageHeader.read(source)
      func load() throws -> Raster { try VipsSource(source).image(header.format, shrink: 1, isStrict: false) }
      for size in [(300, 211), (50, 30), (900, 20)] {
        let placement = try Placement(all: size).drawn(by: .libvips)
        #expect(try load().drawn(placement).samples == load().inMemory().drawn(placement).samples)
      }
    }
  }

  @Test func theEmbeddedThumbnailIsTakenAsBefore() throws {
    let thumbnail = try TestPicture.plain(160, 120, [9, 9, 200]).jpeg()
    let source = Exif.insert(
      Exif.block(thumbnail: thumbnail), into: try TestPicture.plain(800, 600, [200, 9, 9]).jpeg())
    for drawing in Drawing.allCases {
      let drawn = try draw(source, [.resize(80, 60)], drawing, embedded: .prefer)
      guard case .encoded(_, _, _, _, let note) = drawn.result else { throw KeptOriginal() }
      #expect(note == "drawn from the embedded thumbnail")
    }
  }

  @Test func aPictureThatNothingScalesHasOneDrawing() throws {
    let picture = TestPicture.noise(60, 40).png()
    for steps: [RenderStep] in [[], [.circle(border: nil)], [.gaussianBlur(radius: 3, keepsOpaque: true)]] {
      #expect(RenderOutput(steps: steps, encoding: .png).drawn(by: .libvips).drawing == nil)
      #expect(try draw(picture, steps, .libvips).file == draw(picture, steps, .device).file)
    }
  }
}
