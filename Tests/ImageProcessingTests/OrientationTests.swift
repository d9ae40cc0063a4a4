import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

@Suite(.timeLimit(.minutes(10))) struct OrientationTests {
  static let upright = TestPicture.gradient(48, 32)

  @Test(arguments: 1...8) func everyOrientationGivesTheSameUprightPixels(orientation: Int) throws {
    let stored = Self.upright.stored(as: orientation)
    let source = stored.png(chunks: [("eXIf", Exif.block(orientation: orientation))])
    for steps in [[], [RenderStep.resize(20, 20, crop: true)], [.resize(24, 99, .aspectFit)]] {
      let expected = try render(Self.upright.png(), steps)
      let result = try render(source, steps)
      guard orientation >= 5 else {
        #expect(result.bytes == expected.bytes)
        continue
      }
      // Columns are summed before rows, of the pixels as they are stored: where the two change places, so does rounding.
      #expect((result.width, result.height) == (expected.width, expected.height))
      let samples = zip(try result.image().samples, try expected.image().samples)
      #expect(samples.allSatisfy { abs(Int($0) - Int($1)) <= (steps.isEmpty ? 0 : 1) })
    }
  }

  /// Drawn, with the embedded thumbnail as well, and further processed: all as if there were no tag.
  @Test(arguments: 1...8) func anUnturnedThumbnailHasThePixelsAsTheyAreStored(orientation: Int) throws {
    let stored = Self.upright.stored(as: orientation)
    func thumbnail(always: Bool) -> RenderStep {
      .thumbnail(
        size: .maxPixelSize(24), fromImageIfAbsent: true, fromImageAlways: always, isUnturned: true)
    }
    let tag = Exif.block(orientation: orientation)
    for steps in [[thumbnail(always: true)], [thumbnail(always: true), .resize(10, 20)]] {
      let result = try render(stored.png(chunks: [("eXIf", tag)]), steps)
      let expected = try render(stored.png(), steps)
      #expect((result.width, result.height) == (expected.width, expected.height))
      let samples = zip(try result.image().samples, try expected.image().samples)
      #expect(samples.allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    }
    let block = Exif.block(orientation: orientation, thumbnail: try stored.jpeg())
    let result = try render(Exif.insert(block, into: try stored.jpeg()), [thumbnail(always: false)])
    #expect(result.width == (orientation >= 5 ? 16 : 24))
  }

  @Test(arguments: 1...8) func theAnswerTellsTheStoredSizeAndTheOrientation(orientation: Int) throws {
    let stored = Self.upright.stored(as: orientation)
    let source = Exif.insert(Exif.block(orientation: orientation), into: try stored.jpeg())
    let request = RenderRequest(outputs: [.init(steps: [], encoding: .png)])
    let answer = ImageRenderer.render(request, source).answer
    #expect(answer.source?.orientation == orientation)
    #expect(answer.source?.width == stored.width)
    guard case .encoded(_, let width, let height, _, _) = answer.outputs[0] else {
      Issue.record("\(answer)")
      return
    }
    #expect((width, height) == (48, 32))
  }

  @Test(.enabled(if: Corpus.isHere)) func photographsOfAllOrientationsLookAlike() throws {
    for suffix in [".jpg", ".webp"] {
      let files = try Corpus.files("orientation").filter {
        $0.name.hasPrefix("hopper") && $0.name.hasSuffix(suffix)
      }
      let pictures = try files.map { try render($0.bytes, [.resize(16, 16)]).image().samples }
      let first = try #require(pictures.first)
      for picture in pictures.dropFirst() {
        let difference = zip(first, picture).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        #expect(Double(difference) / Double(first.count) < 6)
      }
      #expect(pictures.count == 7)
    }
  }
}
