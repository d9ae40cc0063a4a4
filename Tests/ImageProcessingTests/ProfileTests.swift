import Foundation
import TestSupport
import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

/// Profiles that are made of numbers, and those that are left alone.
/// HEIF and AVIF pictures whose colours libheif and libvips do not know in full lie in `Tests/Fixtures/colours`.
@Suite(.timeLimit(.minutes(10))) struct ProfileTests {
  private static let note =
    "the colour profile does not fit the picture or cannot be used, and was left alone"

  /// The picture and a profile for other colours would be taken for one with alpha.
  @Test(arguments: ["GRAY", "CMYK", "Lab ", "XYZ ", "junk", "class link", "class nmcl", "class abst", "cut"])
  func aProfileThatCannotBeUsedIsLeftAlone(fault: String) throws {
    var profile = TestProfile.p3.bytes
    switch fault {
    case "cut": profile.removeLast(profile.count / 2)
    case _ where fault.hasPrefix("class"): profile.replaceSubrange(12..<16, with: fault.utf8.suffix(4))
    default: profile.replaceSubrange(16..<20, with: fault.utf8)
    }
    let color = try TestPicture.plain(40, 20, [220, 30, 30]).jpeg(quality: 100)
    let (tagged, bare) = (TestProfile.insert(profile, into: color), color)
    for steps: [RenderStep] in [[.resize(20, 10)], [.thumbnail(20)], [], [.circle(border: nil)]] {
      let drawn = try render(tagged, steps)
      #expect(try drawn.bytes == render(bare, steps).bytes)
      #expect(drawn.note == Self.note)
    }
    let cmyk = try Fixtures.bytes("images/cmyk.jpg")
    guard fault != "CMYK" else { return }
    let drawn = try render(TestProfile.insert(profile, into: cmyk), [.resize(20, 10)])
    #expect(try drawn.bytes == render(cmyk, [.resize(20, 10)]).bytes && drawn.note == Self.note)
  }

  /// In a WebP of our own, in which the profile stands as it is.
  @Test func aLinkBetweenDevicesIsLeftAloneInAWebP() throws {
    let source = TestProfile.insert(TestProfile.p3.bytes, into: try TestPicture.noise(40, 20).jpeg())
    var file = try render(source, [], .recipe(EncodingRecipe(.webp(.init()))), keepsGamut: true).bytes
    let place = try #require(file.firstRange(of: "mntrRGB ".utf8)?.lowerBound)
    file.replaceSubrange(place..<place + 4, with: "link".utf8)
    #expect(try render(file, [.resize(20, 10)]).note == Self.note)
  }

  /// libvips wants the intent by name, and takes the picture for sRGB without it.
  @Test func aProfileOfPerceptualIntentAloneCounts() throws {
    let color = try TestPicture.plain(40, 20, [220, 30, 30]).jpeg(quality: 100)
    let tagged = TestProfile.insert(TestProfile.perceptualNegative.bytes, into: color)
    let image = try render(tagged, [.resize(20, 10)]).image()
    // L* of 63.4, as (255 - 93.3) / 255 has it.
    #expect(
      image.rowFormat.profile.isEmpty
        && isNear(image.pixel(0, 0), [153, 153, 153], by: 3))
  }

  /// libvips has it in memory that goes with the loader, while the pixels are still there.
  @Test func aProfileOutlivesItsFile() throws {
    VipsLibrary.openPlugins(for: [.avif])
    let bytes = try Fixtures.bytes("colours/srgb-profile-pq.avif")
    let image = try decoded(bytes, .avif, isStrict: false)
    let profile = Data(image.rowFormat.profile)
    #expect(profile.count > 400 && Data(bytes).range(of: profile) != nil)
  }

  @Test func labIsMeantUnderD50() throws {
    let image = try render(Fixtures.bytes("colours/lab-profile.tif"), [], formats: [.tiff]).image()
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
    let result = try render(Fixtures.bytes("colours/gray-profile.webp"), [.resize(60, 40)])
    let image = try result.image()
    #expect(image.bands == 3 && isNear(image.pixel(0, 0), [220, 30, 30], by: 12))
    #expect(result.note == Self.note)
  }

  @Test func framesKeepTheirColoursToo() throws {
    let lossless = RenderRequest.Encoding.recipe(EncodingRecipe(.webp(.init(isLossless: true))))
    let film = try render(
      Fixtures.bytes("colours/gray-profile-frames.webp"), [.resize(60, 40)], lossless, drawsFrames: true)
    let image = try VipsSource(film.bytes).image(.webp, shrink: 1, isStrict: true, allFrames: true).inMemory()
    #expect(image.samples.prefix(3) == [220, 30, 30] && image.height == 80 && film.note == Self.note)
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

  /// sRGB needs no profile, grey has a curve alone, and high dynamic range has no curve.
  @Test func whatNumbersHaveAProfile() {
    for (primaries, transfer) in [(1, 13), (1, 1), (2, 2), (0, 6)] {
      let space = PictureSpace(primaries: primaries, transfer: transfer)
      #expect(space?.profile(isGrey: false) == [] && space?.profile(isGrey: true) == [])
    }
    #expect(PictureSpace(primaries: 9, transfer: 13)?.profile(isGrey: true) == [])
    let linear = PictureSpace(primaries: 1, transfer: 8)?.profile(isGrey: true)
    #expect(linear?.dropFirst(16).starts(with: "GRAY".utf8) == true)
    #expect([9, 10, 16, 18, 19, 255].allSatisfy { PictureSpace(primaries: 9, transfer: $0) == nil })
    #expect(PictureSpace(primaries: 13, transfer: 13) == nil)
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

  private func draw(_ name: String, keepsGamut: Bool = true) throws -> (image: Raster, note: String?) {
    try draw(Fixtures.bytes("colours/\(name)"), keepsGamut: keepsGamut)
  }

  private func draw(_ bytes: [UInt8], keepsGamut: Bool = true) throws -> (image: Raster, note: String?) {
    let drawn = try render(bytes, [.resizing(60, 40)], keepsGamut: keepsGamut, formats: [.avif, .heif])
    return (try drawn.image(), drawn.note)
  }

  @Test(arguments: ["p3-8-f.avif", "p3-10-l.avif"]) func primariesByNumbersAreAProfile(name: String) throws {
    let kept = try draw(name)
    #expect(isNear(kept.image.pixel(10, 10), [220, 30, 30], by: 3))
    let made = try #require(TestProfile(reading: kept.image.rowFormat.profile))
    #expect(
      zip(made.lab([220, 30, 30]), TestProfile.p3.lab([220, 30, 30])).allSatisfy { abs($0 - $1) < 0.5 })
    let converted = try draw(name, keepsGamut: false)
    #expect(converted.image.rowFormat.profile.isEmpty)
    #expect(isNear(converted.image.pixel(10, 10), [240, 0, 0], by: 3))
  }

  @Test(arguments: [
    ("grey-8-l.avif", [0], [255], [128]), ("grey-10-l.avif", [0], [255], [128]),
    ("grey-12-l.avif", [0, 200], [255, 200], [128, 200]), ("grid-grey-l.avif", [0], [255], [128]),
    ("grey-linear-profile.avif", [0], [255], [188]),
  ])
  func greyOfLimitedRangeIsBlackAndWhite(name: String, black: [Int], white: [Int], middle: [Int]) throws {
    let (image, note) = try draw(name)
    #expect(isNear(image.pixel(10, 10), black, by: 2))
    #expect(isNear(image.pixel(50, 10), white, by: 2))
    #expect(isNear(image.pixel(50, 30), middle, by: 2))
    #expect(note == nil)
  }

  @Test(arguments: [
    ("prem-8-f.avif", [220, 30, 30, 128], 3), ("prem-10-l.avif", [220, 30, 30, 128], 3),
    ("grid-prem.avif", [220, 30, 30, 128], 3), ("prem.heic", [255, 60, 60, 128], 4),
    // A profile comes before numbers.
    ("srgb-profile-pq.avif", [220, 30, 30], 3),
  ])
  func weightedColoursAreNotWeightedTwice(name: String, color: [Int], tolerance: Int) throws {
    let image = try draw(name).image
    #expect(isNear(image.pixel(10, 10), color, by: tolerance))
    if name.hasSuffix("avif"), color.count == 4 {
      #expect(isNear(image.pixel(50, 30), [230, 220, 40, 128], by: 3))
    }
  }

  /// Without an `nclx` box the AV1 data say it.
  @Test func numbersOfTheDataCount() throws {
    func bare(_ name: String) throws -> [UInt8] {
      var bytes = try Fixtures.bytes("colours/\(name)")
      let box = try #require(Data(bytes).range(of: Data("colrnclx".utf8)))
      bytes.replaceSubrange(box, with: Array("freenone".utf8))
      return bytes
    }
    let p3 = try draw(bare("p3-8-f.avif")).image
    #expect(try p3.rowFormat.profile == draw("p3-8-f.avif").image.rowFormat.profile)
    #expect(try isNear(draw(bare("grey-10-l.avif")).image.pixel(10, 10), [0], by: 2))
    #expect(try isNear(draw(bare("grid-grey-l.avif")).image.pixel(50, 10), [255], by: 2))
    #expect(throws: RenderFailure.self) { try draw(bare("pq-10.avif")) }
  }
}
