import Foundation
import TestSupport
import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

/// Each result has the bytes that it has without the others, in whatever order; returned as they are in this one.
@discardableResult
func expectAloneAsTogether(_ outputs: [RenderOutput], of source: [UInt8]) throws -> [[UInt8]] {
  let alone = outputs.map { ImageRenderer.render(RenderRequest(outputs: [$0]), source).payloads }
  for order in [Array(outputs.indices), outputs.indices.reversed()] {
    let together = [RenderOutput(steps: [], encoding: .original)] + order.map { outputs[$0] }
    let (answer, payloads) = ImageRenderer.render(RenderRequest(outputs: together), source)
    #expect(answer.outputs.first == .original)
    #expect(payloads == order.flatMap { alone[$0] })
  }
  return try alone.map { try #require($0.first) }
}

@Suite(.timeLimit(.minutes(10))) struct SharingTests {
  static let chains: [[RenderStep]] = [
    [], [.resize(20, 20, crop: true)],
    [.resize(20, 20, crop: true), .gaussianBlur(radius: 3, keepsOpaque: true)], [.resize(70, 70)],
    [.resize(70, 70), .resize(20, 20), .roundedCorners(radius: 4, border: nil)], [.circle(border: nil)],
    [.gaussianBlur(radius: 5, keepsOpaque: false)],
    [.resizing(30, 20), .blend(mode: .softLight, alpha: 0.7, background: .init([9, 99, 199, 80]))],
    [.cropping(width: 33, height: 44, anchorX: 0.2, anchorY: 1, scale: 2), .filter(.sepiaTone)],
  ]

  static func sources() throws -> [[UInt8]] {
    let photo = TestPicture.noise(400, 300)
    let turned = Exif.insert(Exif.block(orientation: 6), into: try photo.jpeg())
    return [try photo.jpeg(), turned, TestPicture.gradient(301, 203, bands: 4).png()]
  }

  @Test func bytesDoNotDependOnTheOtherResults() throws {
    for source in try Self.sources() {
      try expectAloneAsTogether(
        (Self.chains + DrawingPassTests.placed).flatMap { steps in
          Drawing.allCases.map { RenderOutput(steps: steps, encoding: .png).drawn(by: $0) }
        }, of: source)
    }
  }

  /// What a worker holds and what it reads row by row must not differ.
  @Test func streamedAndHeldDecodesGiveTheSamePixels() throws {
    let more = [TestPicture.noise(700, 500).png(), TestPicture.noise(333, 500, bands: 4).png()]
    for source in try Self.sources() + more {
      let header = try ImageHeader.read(source)
      func load() throws -> Raster { try VipsSource(source).image(header.format, shrink: 1, isStrict: false) }
      for size in [(60, 45), (300, 211), (50, 30), (900, 20)] {
        for drawing in Drawing.allCases {
          let placement = try Placement(all: size).drawn(by: drawing)
          #expect(try load().drawn(placement).samples == load().inMemory().drawn(placement).samples)
        }
      }
    }
  }

  private func pixels(
    _ bytes: [UInt8], _ steps: [RenderStep], input: RenderRequest.Input = .encoded
  ) throws -> (description: RenderPixels, bytes: [UInt8]) {
    let request = RenderRequest(input: input, outputs: [.init(steps: steps, encoding: .pixels)])
    let (answer, payloads) = ImageRenderer.render(request, bytes)
    switch answer.outputs[0] {
    case .pixels(let description, _): return (description, payloads[0])
    case .failed(let failure): throw failure
    default: throw KeptOriginal()
    }
  }

  private static let resize = RenderStep.resize(60, 60)

  @Test(arguments: [
    ("mountains.jpg", [resize]), ("grey.jpg", [resize]), ("logo.png", [resize]), ("planets.gif", [resize]),
    ("logo.png", [.roundedCorners(radius: 9, border: nil)]), ("portrait-6.jpg", [.thumbnail(50)]),
    ("cmyk.jpg", []), ("logo.png", []), ("balloons.webp", []),
    ("mountains.jpg", [resize, .circle(border: nil)]), ("grey.jpg", [.circle(border: nil)]),
    ("logo.png", [.overlay(color: .init([255, 0, 0, 90]), fraction: 0.4)]), ("grey.jpg", [.resizing(40, 20)]),
  ])
  func aChainThatGoesOnFromPixelsHasTheSameBytesAsOneThatNeverStopped(
    name: String, first: [RenderStep]
  ) throws {
    let source = try Fixtures.bytes("images/\(name)")
    let half = try pixels(source, first)
    let rests: [[RenderStep]] = [
      [], [.gaussianBlur(radius: 3, keepsOpaque: true)], [.resize(31, 17, crop: true)],
      [.boxBlur(width: 7, passes: 3, keepsOpaque: true), .tint(.init([40, 80, 120, 160]))],
      [.circle(border: RenderStep.Border(width: 2, color: .init(red: 1, green: 0, blue: 0, alpha: 0.5)))],
    ]
    for rest in rests where !first.isEmpty || rest.first?.value.isPlaced != true {
      let wholePixels = try pixels(source, first + rest)
      let continued = try pixels(half.bytes, rest, input: .pixels(half.description))
      #expect(continued.description == wholePixels.description)
      let isSame = continued.bytes == wholePixels.bytes
      #expect(isSame, "\(rest)")
      let continuedFile = try render(
        half.bytes, rest, .automatic(jpegQuality: 80), input: .pixels(half.description)
      ).bytes
      let isEncodedAlike =
        try continuedFile == render(source, first + rest, .automatic(jpegQuality: 80)).bytes
      #expect(isEncodedAlike, "\(rest)")
    }
  }

  @Test func pixelsHaveFourBytesAndSayHowManyChannelsThePictureHas() throws {
    let grey = try pixels(try Fixtures.bytes("images/grey.jpg"), [.resize(8, 8, crop: true)])
    #expect(grey.description == RenderPixels(width: 8, height: 8, channels: 1))
    #expect(grey.bytes.count == 256)
    for pixel in stride(from: 0, to: 256, by: 4) {
      #expect(Set(grey.bytes[pixel..<(pixel + 3)]).count == 1)
      #expect(grey.bytes[pixel + 3] == 255)
    }
    let logo = try pixels(try Fixtures.bytes("images/logo.png"), [])
    #expect(logo.description.channels == 4)
    for pixel in stride(from: 0, to: logo.bytes.count, by: 4) {
      #expect((0..<3).allSatisfy { logo.bytes[pixel + $0] <= logo.bytes[pixel + 3] })
    }
  }

  @Test func pixelsAreUpright() throws {
    let turned = try pixels(try Fixtures.bytes("images/portrait-6.jpg"), [])
    #expect(turned.description.width < turned.description.height)
  }

  @Test(arguments: [
    (RenderPixels(width: 2, height: 2, channels: 3), 15),
    (RenderPixels(width: 2, height: 2, channels: 5), 16),
    (RenderPixels(width: 0, height: 0, channels: 3), 0),
    (RenderPixels(width: -2, height: -2, channels: 3), 16),
    (RenderPixels(width: .max, height: .max, channels: 3), 16),
  ])
  func pixelsThatAreNoPictureAreRefused(description: RenderPixels, count: Int) {
    #expect(throws: RenderFailure.self) {
      try pixels([UInt8](repeating: 0, count: count), [], input: .pixels(description))
    }
  }

  @Test func pixelsBeyondTheLimitAreRefused() {
    let input = RenderRequest.Input.pixels(RenderPixels(width: 11, height: 1, channels: 3))
    let bytes = [UInt8](repeating: 0, count: 44)
    #expect(failure { try render(bytes, [], input: input, limits: RenderLimits(maxPixels: 10)) } == .limit)
  }
}
