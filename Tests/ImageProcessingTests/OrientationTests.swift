import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

@Suite(.timeLimit(.minutes(10))) struct OrientationTests {
  static let upright = TestPicture.gradient(48, 32)

  @Test(arguments: 1...8) func everyOrientationGivesTheSameUprightPixels(orientation: Int) throws {
    let stored = Self.upright.stored(as: orientation)
    let exif: TestPicture.Chunk = ("eXIf", Exif.block(orientation: orientation))
    #expect(try render(stored.png(behind: [exif]), []).bytes == render(Self.upright.png(), []).bytes)
    for steps in [[], [RenderStep.resize(20, 20, crop: true)], [.resize(24, 99, .aspectFit)]] {
      let expected = try render(Self.upright.png(), steps)
      let result = try render(stored.png(chunks: [exif]), steps)
      guard orientation >= 5 else {
        #expect(result.bytes == expected.bytes)
        continue
      }
      // Columns are summed before rows, of the pixels as they are stored: where the two change places, so does rounding.
      #expect(result.size == expected.size)
      #expect(try isNear(result.image().samples, expected.image().samples, by: steps.isEmpty ? 0 : 1))
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
      #expect(result.size == expected.size)
      #expect(try isNear(result.image().samples, expected.image().samples))
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
    #expect(try render(source, []).size == "48x32")
  }

  /// The way that a JPEG is turned by an output that follows XMP, and what is said to one that does not.
  private func turned(_ source: [UInt8]) throws -> (
    sizes: [[Int]], notes: [String?]
  ) {
    var following = RenderRequest.Output(steps: [.resize(24, 99, .aspectFit)], encoding: .png)
    following.turnsByXMP = true
    var left = following
    left.turnsByXMP = nil
    let request = RenderRequest(outputs: [left, following, left])
    let (answer, _) = ImageRenderer.render(request, source)
    var result: (sizes: [[Int]], notes: [String?]) = ([], [])
    for output in answer.outputs {
      guard case .encoded(_, let width, let height, _, let note) = output else {
        throw RenderFailure(.worker, "")
      }
      result.sizes.append([width, height])
      result.notes.append(note)
    }
    return result
  }

  @Test(arguments: [
    "tiff:Orientation=\"6\"", "tiff:Orientation = '6'", "<tiff:Orientation>6</tiff:Orientation>",
  ])
  func xmpAloneTurnsWhereTheClientFollowsIt(text: String) throws {
    let jpeg = try Self.upright.jpeg()
    let source = Exif.insertXMP(text, into: jpeg)
    let (sizes, notes) = try turned(source)
    #expect(sizes == [[24, 16], [24, 36], [24, 16]])
    #expect(notes[1] == nil && notes[0] == notes[2])
    #expect(try #require(notes[0]).contains("an orientation of 6 stands in XMP alone"))
    // The same pixels as by EXIF.
    let byEXIF = try render(
      Exif.insert(Exif.block(orientation: 6), into: jpeg), [.resize(24, 99, .aspectFit)])
    var following = RenderRequest.Output(steps: [.resize(24, 99, .aspectFit)], encoding: .png)
    following.turnsByXMP = true
    #expect(ImageRenderer.render(RenderRequest(outputs: [following]), source).payloads == [byEXIF.bytes])
  }

  @Test(arguments: [
    "tiff:Orientation=\"1\"", "tiff:Orientation=\"9\"", "tiff:Orientation=\"61\"", "tiff:Orientation",
  ])
  func whatTurnsNothingIsNotSaid(text: String) throws {
    let (sizes, notes) = try turned(Exif.insertXMP(text, into: try Self.upright.jpeg()))
    #expect(sizes == [[24, 16], [24, 16], [24, 16]] && notes == [nil, nil, nil])
  }

  @Test(arguments: [1, 6]) func exifGoesBeforeXMP(orientation: Int) throws {
    let jpeg = try Self.upright.jpeg()
    let block = Exif.block(orientation: orientation)
    let (xmp, size) = ("tiff:Orientation=\"8\"", orientation == 1 ? [24, 16] : [24, 36])
    for source in [
      Exif.insert(block, into: Exif.insertXMP(xmp, into: jpeg)),
      Exif.insertXMP(xmp, into: Exif.insert(block, into: jpeg)),
    ] {
      let (sizes, notes) = try turned(source)
      #expect(sizes == [size, size, size] && notes == [nil, nil, nil])
    }
  }

  /// What ImageIO makes of other formats was not seen.
  @Test func aPNGIsNotTurnedByXMP() throws {
    let packet = Array("XML:com.adobe.xmp".utf8) + [0, 0, 0, 0, 0] + Array("tiff:Orientation=\"6\"".utf8)
    let (sizes, notes) = try turned(Self.upright.png(chunks: [("iTXt", packet)]))
    #expect(sizes == [[24, 16], [24, 16], [24, 16]] && notes.allSatisfy { $0 != nil })
  }
}
