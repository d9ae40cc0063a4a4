import Testing

@testable import ImageProcessing
@testable import Pictures

/// Profiles that are made of numbers, and those that are left alone.
@Suite(.timeLimit(.minutes(10))) struct ProfileTests {
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
