import Testing

@testable import Pictures

struct WholePixelTests {
  private func rectangle(_ step: RenderStep, of source: PixelSize) throws -> [Double] {
    let placement = try #require(try step.value.placement(of: source)).drawn(by: .libvips)
    return [placement.x, placement.y, placement.width, placement.height]
  }

  @Test func edgesGoToTheNearestPixelAndACanvasStaysCovered() throws {
    let (resize, resizing) = (RenderStep.Resize.self, RenderStep.Resizing.self)
    let fill = RenderStep(
      resize.init(
        width: 300, height: 300, contentMode: .aspectFill, crop: true, upscale: false, cropEnlarges: false))
    #expect(try rectangle(fill, of: (1000, 703)) == [-63, 0, 426, 300])
    // 20.1 pixels are a bitmap of 21.
    let exactly = RenderStep(resizing.init(width: 33.5, height: 20.1, contentMode: nil, scale: 1))
    #expect(try rectangle(exactly, of: (64, 64)) == [0, 0, 34, 21])
    #expect(try rectangle(.letterbox(width: 40, height: 41), of: (100, 64)) == [0, 8, 40, 25])
    // What is left free is not less than a pixel.
    #expect(try rectangle(.letterbox(width: 40, height: 40.5), of: (100, 100)) == [0, 0, 40, 41])
  }

  @Test func theDeviceKeepsItsFractions() throws {
    let placement = try #require(
      try RenderStep.letterbox(width: 40, height: 41).value.placement(of: (100, 64)))
    #expect(try placement.drawn(by: .device).y == placement.y)
  }

  @Test func aTurnedRectangleIsTheSameInWholePixels() throws {
    let upright = try #require(try RenderStep.letterbox(width: 40, height: 41).value.placement(of: (100, 64)))
      .drawn(by: .libvips)
    for orientation in 1...8 {
      let stored = upright.stored(orientation: orientation)
      #expect([stored.x, stored.y].allSatisfy { $0 == $0.rounded() })
      #expect(stored.width * stored.height == upright.width * upright.height && stored.drawing == .libvips)
    }
  }

  @Test func whatLibvipsHasNoSizeForIsRefused() throws {
    let fill = RenderStep.Resize(
      width: 1000, height: 1000, contentMode: .aspectFill, crop: true, upscale: true, cropEnlarges: true)
    let placement = try #require(try fill.placement(of: (1, 65_535)))
    #expect(throws: RenderFailure.self) { try placement.drawn(by: .libvips) }
  }
}
