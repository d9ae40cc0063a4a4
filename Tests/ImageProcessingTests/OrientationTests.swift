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
    Exif.xmp("tiff:Orientation = '6'"), Exif.xmp("t:Orientation='6'"),
    Exif.xmp("tiff:Orientation='6'") + "\0\0",
    Exif.xmp("", "<tiff:Orientation> 6 </tiff:Orientation>"),
    Exif.xmp("", "<t:Orientation>&#54;</t:Orientation>"),
    Exif.xmp(
      "", "</rdf:Description><rdf:Description xmlns:a='http://ns.adobe.com/tiff/1.0/' a:Orientation='6'>"),
  ])
  func xmpAloneTurnsWhereTheClientFollowsIt(packet: String) throws {
    let jpeg = try Self.upright.jpeg()
    let source = Exif.insertXMP(packet, into: jpeg)
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

  /// Other numbers, other places than the main description of the picture's own packet, and what is no XML.
  @Test(arguments: [
    Exif.xmp("tiff:Orientation='1'"), Exif.xmp("tiff:Orientation='9'"), Exif.xmp("tiff:Orientation='61'"),
    Exif.xmp("x='tiff:Orientation=6'"), Exif.xmp("", "<!-- <tiff:Orientation>6</tiff:Orientation> -->"),
    Exif.xmp("", "<x:y xmlns:x='u'><rdf:Description tiff:Orientation='6'/></x:y>"),
    Exif.xmp("", "<x:y xmlns:x='u'><tiff:Orientation>6</tiff:Orientation></x:y>"),
    Exif.xmp("", "<tiff:Orientation>6</tiff:Orientation>").replacing("tiff/1.0", with: "other"),
    Exif.xmp("tiff:Orientation='6'").replacing("</x:xmpmeta>", with: ""),
    "<!DOCTYPE x [<!ENTITY a '6'>]>" + Exif.xmp("tiff:Orientation='6'"),
    Exif.xmp("tiff:Orientation='1'", "<tiff:Orientation>6</tiff:Orientation>"), "tiff:Orientation='6'",
  ])
  func whatTurnsNothingIsNotSaid(packet: String) throws {
    let (sizes, notes) = try turned(Exif.insertXMP(packet, into: try Self.upright.jpeg()))
    #expect(sizes == [[24, 16], [24, 16], [24, 16]] && notes == [nil, nil, nil])
  }

  /// A second picture (MPO, Ultra HDR), a comment and a second packet have words of their own.
  @Test func anotherPacketTurnsNothing() throws {
    let jpeg = try Self.upright.jpeg()
    let turning = Exif.xmp("tiff:Orientation='6'")
    for source in [
      jpeg + Exif.insertXMP(turning, into: jpeg), Exif.insert(0xFE, Array(turning.utf8), into: jpeg),
      Exif.insertXMP(Exif.xmp(), into: Exif.insertXMP(turning, into: jpeg)),
    ] {
      let (sizes, notes) = try turned(source)
      #expect(sizes == [[24, 16], [24, 16], [24, 16]] && notes == [nil, nil, nil])
    }
  }

  @Test(arguments: [1, 6]) func exifGoesBeforeXMP(orientation: Int) throws {
    let jpeg = try Self.upright.jpeg()
    let block = Exif.block(orientation: orientation)
    let (xmp, size) = (Exif.xmp("tiff:Orientation='8'"), orientation == 1 ? [24, 16] : [24, 36])
    for source in [
      Exif.insert(block, into: Exif.insertXMP(xmp, into: jpeg)),
      Exif.insertXMP(xmp, into: Exif.insert(block, into: jpeg)),
    ] {
      let (sizes, notes) = try turned(source)
      #expect(sizes == [size, size, size] && notes == [nil, nil, nil])
    }
  }

  /// What ImageIO makes of other formats was not seen.
  @Test func anotherFormatIsNotTurnedByXMP() throws {
    let packet = Array(Exif.xmp("tiff:Orientation='6'").utf8)
    let text = Array("XML:com.adobe.xmp".utf8) + [0, 0, 0, 0, 0] + packet
    for source in [
      Self.upright.png(chunks: [("iTXt", text)]), Self.upright.png(behind: [("iTXt", text)]),
    ] {
      let (sizes, notes) = try turned(source)
      #expect(sizes == [[24, 16], [24, 16], [24, 16]] && notes.allSatisfy { $0 != nil })
    }
  }
}
