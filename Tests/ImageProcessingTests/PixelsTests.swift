import Foundation
import TestSupport
import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

@Suite(.timeLimit(.minutes(10)))
struct PixelsTests {
  private func fixture(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: Fixtures.folder.appendingPathComponent("images/\(name)")))
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

  private func encoded(
    _ bytes: [UInt8], _ steps: [RenderStep], input: RenderRequest.Input = .encoded
  ) throws -> [UInt8] {
    let encoding = RenderRequest.Encoding.automatic(jpegQuality: 80)
    let request = RenderRequest(input: input, outputs: [.init(steps: steps, encoding: encoding)])
    let (answer, payloads) = ImageRenderer.render(request, bytes)
    if case .failed(let failure) = answer.outputs[0] { throw failure }
    return payloads[0]
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
    let source = try fixture(name)
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
      let continuedFile = try encoded(half.bytes, rest, input: .pixels(half.description))
      let isEncodedAlike = try continuedFile == encoded(source, first + rest)
      #expect(isEncodedAlike, "\(rest)")
    }
  }

  @Test func pixelsHaveFourBytesAndSayHowManyChannelsThePictureHas() throws {
    let grey = try pixels(try fixture("grey.jpg"), [.resize(8, 8, crop: true)])
    #expect(grey.description == RenderPixels(width: 8, height: 8, channels: 1))
    #expect(grey.bytes.count == 256)
    for pixel in stride(from: 0, to: 256, by: 4) {
      #expect(Set(grey.bytes[pixel..<(pixel + 3)]).count == 1)
      #expect(grey.bytes[pixel + 3] == 255)
    }
    let logo = try pixels(try fixture("logo.png"), [])
    #expect(logo.description.channels == 4)
    for pixel in stride(from: 0, to: logo.bytes.count, by: 4) {
      #expect((0..<3).allSatisfy { logo.bytes[pixel + $0] <= logo.bytes[pixel + 3] })
    }
  }

  @Test func pixelsAreUpright() throws {
    let turned = try pixels(try fixture("portrait-6.jpg"), [])
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
    let request = RenderRequest(
      input: .pixels(RenderPixels(width: 11, height: 1, channels: 3)),
      outputs: [.init(steps: [], encoding: .pixels)], limits: RenderLimits(maxPixels: 10))
    let answer = ImageRenderer.render(request, [UInt8](repeating: 0, count: 44)).answer
    guard case .failed(let failure) = answer.outputs[0] else { return #expect(Bool(false)) }
    #expect(failure.code == .limit)
  }
}
