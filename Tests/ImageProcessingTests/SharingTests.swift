import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

@Suite(.timeLimit(.minutes(10))) struct SharingTests {
  static let chains: [[RenderStep]] = [
    [], [.resize(20, 20)], [.resize(20, 20, crop: true)],
    [.resize(20, 20, crop: true), .circle(border: nil)],
    [.resize(20, 20, crop: true), .gaussianBlur(radius: 3, keepsOpaque: true)], [.resize(70, 70)],
    [.resize(70, 70), .resize(20, 20), .roundedCorners(radius: 4, border: nil)], [.circle(border: nil)],
    [.gaussianBlur(radius: 5, keepsOpaque: false)], [.thumbnail(24)], [.thumbnail(24, always: false)],
    [.resize(500, 500, upscale: true)], [.resizing(30, 20)],
    [.resizing(30, 20), .boxBlur(width: 5, passes: 3, keepsOpaque: true), .tint(.red)],
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
      let alone = try Self.chains.map { try render(source, $0).bytes }
      for order in [Self.chains, Self.chains.reversed()] {
        let outputs = order.map { RenderRequest.Output(steps: $0, encoding: .png) }
        let original = RenderRequest.Output(steps: [], encoding: .original)
        let request = RenderRequest(outputs: [original] + outputs)
        let (answer, payloads) = ImageRenderer.render(request, source)
        #expect(answer.outputs.first == .original)
        #expect(payloads == order.map { chain in alone[Self.chains.firstIndex(of: chain) ?? 0] })
      }
    }
  }

  @Test func streamedAndHeldDecodesGiveTheSamePixels() throws {
    for source in try Self.sources() {
      let header = try ImageHeader.read(source)
      let loaded = try VipsSource(source).image(header.format, shrink: 1, isStrict: false)
      let streamed = try VipsSource(source).image(header.format, shrink: 1, isStrict: false)
      func small(_ image: Raster) throws -> [UInt8] {
        try image.drawn(Placement(all: (60, 45))).samples
      }
      #expect(try small(streamed) == small(try loaded.inMemory()))
    }
  }
}
