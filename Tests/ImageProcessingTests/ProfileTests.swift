import Foundation
import TestSupport
import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

/// Profiles that are made of numbers, and those that are left alone.
@Suite(.timeLimit(.minutes(10))) struct ProfileTests {
  private static let note =
    "the colour profile does not fit the picture's colours, and was left alone"

  private static func file(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: Fixtures.folder.appendingPathComponent("colours/\(name)")))
  }

  /// The picture and its profile would be taken for one with alpha.
  @Test(arguments: ["GRAY", "CMYK", "Lab ", "XYZ ", "junk"]) func aProfileForOtherColorsIsLeftAlone(
    space: String
  ) throws {
    var profile = TestProfile.p3
    profile.space = space
    let color = try TestPicture.plain(40, 20, [220, 30, 30]).jpeg(quality: 100)
    let (tagged, bare) = (TestProfile.insert(profile.bytes, into: color), color)
    for steps: [RenderStep] in [[.resize(20, 10)], [.thumbnail(20)], [], [.circle(border: nil)]] {
      let drawn = try render(tagged, steps)
      #expect(try drawn.bytes == render(bare, steps).bytes)
      #expect(drawn.note == Self.note)
    }
    let cmyk = [UInt8](try Fixtures.image("cmyk.jpg"))
    guard space != "CMYK" else { return }
    let drawn = try render(TestProfile.insert(profile.bytes, into: cmyk), [.resize(20, 10)])
    #expect(try drawn.bytes == render(cmyk, [.resize(20, 10)]).bytes && drawn.note == Self.note)
  }

  /// libvips wants the intent by name, and takes the picture for sRGB without it.
  @Test func aProfileOfPerceptualIntentAloneCounts() throws {
    let color = try TestPicture.plain(40, 20, [220, 30, 30]).jpeg(quality: 100)
    let tagged = TestProfile.insert(TestProfile.perceptualNegative.bytes, into: color)
    let image = try render(tagged, [.resize(20, 10)]).image()
    // L* of 63.4, as (255 - 93.3) / 255 has it.
    #expect(
      image.rowFormat.profile.isEmpty
        && isNear(image.samples.prefix(3).map(Int.init), [153, 153, 153], by: 3))
  }

  /// libvips has it in memory that goes with the loader, while the pixels are still there.
  @Test func aProfileOutlivesItsFile() throws {
    VipsLibrary.openPlugins(for: [.avif])
    let bytes = try Self.file("srgb-profile-pq.avif")
    let image = try VipsSource(bytes).image(.avif, shrink: 1, isStrict: false).inMemory()
    let profile = Data(image.rowFormat.profile)
    #expect(profile.count > 400 && Data(bytes).range(of: profile) != nil)
  }

  @Test func labIsMeantUnderD50() throws {
    let image = try render(Self.file("lab-profile.tif"), [], formats: [.tiff]).image()
    for (at, color) in [
      (0, [220, 30, 30]), (11, [30, 200, 30]), (84, [30, 30, 220]), (95, [230, 220, 40]),
    ] {
      #expect(isNear(image.samples[3 * at..<3 * at + 3].map(Int.init), color, by: 20))
    }
  }

  @Test func greyWithAColourProfileIsGrey() throws {
    let grey = try TestPicture.plain(40, 20, [87]).jpeg(quality: 100)
    let drawn = try render(TestProfile.insert(TestProfile.p3.bytes, into: grey), [.resize(20, 10)])
    #expect(try drawn.image().samples == [UInt8](repeating: 87, count: 200) && drawn.note == Self.note)
  }

  @Test func aWebPWithAGreyProfileKeepsItsColours() throws {
    let result = try render(Self.file("gray-profile.webp"), [.resize(60, 40)])
    let image = try result.image()
    #expect(image.bands == 3 && isNear(image.samples.prefix(3).map(Int.init), [220, 30, 30], by: 12))
    #expect(result.note == Self.note)
  }

  @Test func framesKeepTheirColoursToo() throws {
    let output = RenderOutput(
      steps: [.resize(60, 40)], encoding: .recipe(EncodingRecipe(.webp(.init(isLossless: true)))),
      drawsFrames: true)
    let (answer, payloads) = ImageRenderer.render(
      RenderRequest(outputs: [output]), try Self.file("gray-profile-frames.webp"))
    guard case .encoded(_, _, _, _, let note) = answer.outputs[0] else { throw KeptOriginal() }
    let film = try VipsSource(payloads[0]).image(.webp, shrink: 1, isStrict: true, allFrames: true).inMemory()
    #expect(film.samples.prefix(3) == [220, 30, 30] && film.height == 80 && note == Self.note)
  }

  @Test func primariesAndACurveBecomeAProfile() throws {
    let p3 = try #require(PictureSpace(primaries: 12, transfer: 13)?.profile(isGrey: false))
    let wanted = TestProfile.p3
    let made = try #require(TestProfile(reading: p3))
    for color: [UInt8] in [[220, 30, 30], [30, 200, 30], [30, 30, 220], [128, 128, 128]] {
      #expect(zip(made.lab(color), wanted.lab(color)).allSatisfy { abs($0 - $1) < 0.5 })
    }
    #expect(p3.count < 600 && PictureSpace(primaries: 12, transfer: 13)?.profile(isGrey: false) == p3)
  }

  @Test(arguments: [(1, 13), (1, 1), (2, 2), (0, 6)])
  func sRGBNeedsNoProfile(primaries: Int, transfer: Int) {
    let space = PictureSpace(primaries: primaries, transfer: transfer)
    #expect(space?.profile(isGrey: false) == [])
    #expect(space?.profile(isGrey: true) == [])
  }

  @Test func greyHasACurveAlone() {
    #expect(PictureSpace(primaries: 9, transfer: 13)?.profile(isGrey: true) == [])
    let linear = PictureSpace(primaries: 1, transfer: 8)?.profile(isGrey: true)
    #expect(linear?.dropFirst(16).starts(with: "GRAY".utf8) == true)
  }

  @Test func whatNoColorsCanBeHasNone() {
    let curve = PictureSpace.power(2.2)
    for places: [Double] in [
      [0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3127, 0.3290], [0.64, 0.33, 0.3, 0.6, 0.15, 0.06, 0, 0],
      [0, 0, 0, 0, 0, 0, 0, 0], [0.64, 0.33, 0.3, 0.6, 0.15, 0.06, 40, -3],
    ] {
      #expect(PictureSpace(places: places, curve: curve).profile(isGrey: false) == nil)
    }
  }

  @Test func highDynamicRangeHasNoCurve() {
    #expect([9, 10, 16, 18, 19, 255].allSatisfy { PictureSpace(primaries: 9, transfer: $0) == nil })
    #expect(PictureSpace(primaries: 13, transfer: 13) == nil)
  }
}
