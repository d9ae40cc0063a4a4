import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

/// The `embedded` setting, over the request's own flags.
@Suite(.timeLimit(.minutes(10))) struct EmbeddedUseTests {
  /// A dark picture with a light thumbnail, to tell which one was drawn.
  private static func source(orientation: Int = 1, thumbnail side: Int = 160) throws -> [UInt8] {
    let light = try TestPicture.plain(side, side * 3 / 4, [220, 220, 220]).jpeg()
    return Exif.insert(
      Exif.block(orientation: orientation, thumbnail: light),
      into: try TestPicture.plain(400, 300, [20, 20, 20]).jpeg())
  }

  private func draw(
    _ steps: [RenderStep], _ use: EmbeddedUse, of bytes: [UInt8], input: RenderRequest.Input = .encoded
  ) throws -> (drawn: String, size: String) {
    let request = RenderRequest(
      input: input, outputs: [.init(steps: steps, encoding: .jpeg(quality: 90), embedded: use)])
    let (answer, payloads) = ImageRenderer.render(request, bytes)
    switch answer.outputs[0] {
    case .failed(let failure): return (failure.code.rawValue, "")
    case .encoded(_, let width, let height, _, _):
      let image = try VipsSource(payloads[0]).image(.jpeg, shrink: 1, isStrict: true).inMemory()
      return (image.samples[0] > 128 ? "thumbnail" : "picture", "\(width)x\(height)")
    case .original, .pixels: return ("other", "")
    }
  }

  @Test(arguments: [
    (EmbeddedUse.client, "picture", "picture", "thumbnail"), (.never, "picture", "picture", "picture"),
    (.prefer, "thumbnail", "thumbnail", "thumbnail"), (.only, "thumbnail", "thumbnail", "thumbnail"),
  ])
  func decidesForEveryKindOfChain(use: EmbeddedUse, resize: String, always: String, ifAbsent: String) throws {
    let source = try Self.source()
    #expect(try draw([.resize(100, 75)], use, of: source) == (resize, "100x75"))
    #expect(try draw([.thumbnail(100)], use, of: source) == (always, "100x75"))
    #expect(try draw([.thumbnail(100, always: false)], use, of: source) == (ifAbsent, "100x75"))
  }

  @Test func laterStepsGoOnFromIt() throws {
    let steps: [RenderStep] = [.resize(60, 60, crop: true), .gaussianBlur(radius: 2, keepsOpaque: true)]
    #expect(try draw(steps, .prefer, of: Self.source(orientation: 6)) == ("thumbnail", "60x60"))
  }

  @Test func aChainThatNeedsAllPixelsGetsThemOrFails() throws {
    let blur = [RenderStep.gaussianBlur(radius: 2, keepsOpaque: true)]
    #expect(try draw(blur, .prefer, of: Self.source()) == ("picture", "400x300"))
    #expect(try draw(blur, .only, of: Self.source()) == ("render.size", ""))
    #expect(try draw([.resize(300, 225)], .prefer, of: Self.source()) == ("picture", "300x225"))
    #expect(try draw([.resize(300, 225)], .only, of: Self.source()) == ("render.size", ""))
  }

  @Test func resultsOfOneRequestDoNotMixThemUp() throws {
    let steps: [RenderStep] = [.resize(60, 60, crop: true), .gaussianBlur(radius: 2, keepsOpaque: true)]
    let outputs = [EmbeddedUse.prefer, .never, .prefer, .client].map {
      RenderRequest.Output(steps: steps, encoding: .png, embedded: $0)
    }
    let source = try Self.source()
    let (_, together) = ImageRenderer.render(RenderRequest(outputs: outputs), source)
    let alone = outputs.map { ImageRenderer.render(RenderRequest(outputs: [$0]), source).payloads[0] }
    #expect(together == alone)
    #expect(together[0] == together[2] && together[1] == together[3] && together[0] != together[1])
  }

  @Test func theHeadOfAFileDoesWhereItsThumbnailDoes() throws {
    let noise = try TestPicture.noise(400, 300).jpeg()
    let light = try TestPicture.plain(160, 120, [220, 220, 220]).jpeg()
    let whole = Exif.insert(Exif.block(thumbnail: light), into: noise)
    let head = Array(whole.prefix(12_000))
    try #require(head.count < whole.count)
    #expect(try draw([.resize(100, 75)], .prefer, of: head, input: .head) == ("thumbnail", "100x75"))
    // From the whole come the same bytes.
    for (steps, use) in [
      ([RenderStep.resize(100, 75)], EmbeddedUse.only), ([.thumbnail(60, always: false)], .client),
    ] {
      let output = RenderRequest.Output(steps: steps, encoding: .png, embedded: use)
      let fromHead = ImageRenderer.render(RenderRequest(input: .head, outputs: [output]), head).payloads
      #expect(fromHead.count == 1)
      #expect(fromHead == ImageRenderer.render(RenderRequest(outputs: [output]), whole).payloads)
    }
  }

  @Test func whereItDoesNotTheRestIsAskedFor() throws {
    let noise = try TestPicture.noise(400, 300).jpeg()
    for (steps, use) in [
      ([RenderStep.resize(100, 75)], EmbeddedUse.prefer), ([.resize(100, 75)], .only),
      ([.resize(9, 9)], .never),
      ([], .client), ([.circle(border: nil)], .prefer),
    ] {
      #expect(try draw(steps, use, of: Array(noise.prefix(12_000)), input: .head) == ("image.truncated", ""))
    }
  }
}
