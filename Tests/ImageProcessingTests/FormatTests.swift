import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

@Suite(.timeLimit(.minutes(10))) struct FormatTests {
  @Test(arguments: [
    [], [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2], Array("<svg xmlns=\"x\"/>".utf8),
    Array("<!doctype html>".utf8), Array("%PDF-1.7 12345".utf8), [UInt8](repeating: 0, count: 64),
  ])
  func whatIsNoPictureOfTheTableIsRefusedByName(bytes: [UInt8]) {
    #expect(proof(bytes) == .format)
  }

  @Test func aFormatThatIsNotAllowedIsRefused() {
    let png = TestPicture.plain(2, 2, [9]).png()
    #expect(failure { try render(png, [], formats: [.jpeg]) } == .format)
    #expect(failure { try render(png, [], formats: [.png]) } == nil)
  }

  @Test func theHeaderIsHeldAgainstTheLimitsBeforeAnythingIsDecoded() {
    let png = TestPicture.plain(60, 60, [9]).png()
    #expect(failure { try render(png, [], limits: RenderLimits(maxPixels: 3599)) } == .limit)
    #expect(failure { try render(png, [], limits: RenderLimits(maxSide: 59)) } == .limit)
    #expect(failure { try render(png, [], limits: RenderLimits(maxBytes: 99)) } == .limit)
  }

  @Test func anotherWireVersionIsRefused() {
    var request = RenderRequest(outputs: [.init(steps: [], encoding: .png)])
    request.wireVersion += 1
    guard case .failed(let failure) = ImageRenderer.render(request, tinyWebP).answer.outputs[0] else {
      Issue.record("accepted")
      return
    }
    #expect(failure.code == .worker)
  }

  @Test func aWebPIsDrawn() throws {
    let result = try render(tinyWebP, [], .automatic(jpegQuality: 80))
    #expect((result.format, result.width, result.height) == (.png, 1, 1))
  }
}
