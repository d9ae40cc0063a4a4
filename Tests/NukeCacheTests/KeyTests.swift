import Foundation
import Testing

@testable import NukeCache

@Suite("Data cache keys", .timeLimit(.minutes(10)))
struct KeyTests {
  @Test func anotherIdentifierReplacesTheProcessorsOwn() {
    let format = CacheKeyFormat(version: .latest, screenScale: 2)
    #expect(
      format.dataCacheKey(imageID: "", processors: [.identified(.circle(), as: "com.example.round")])
        == "com.example.round")
    #expect(format.dataCacheKey(imageID: "", processors: [.identified(.resize(width: 10), as: "")]) == "")
    #expect(
      format.dataCacheKey(
        imageID: "U", processors: [.identified(.gaussianBlur(), as: "a"), .custom(identifier: "b")]) == "Uab")
  }

  @Test func aTargetWithAnOpenSideAlwaysFitsAndNeverCrops() {
    #expect(
      CacheKeyFormat(version: .latest).dataCacheKey(
        imageID: "", processors: [.resize(width: 320, unit: .pixels)])
        == "com.github.kean/nuke/resize?s=(320.0, 9999.0),cm=.aspectFit,crop=false,upscale=false")
  }

  @Test(arguments: [
    (NukeVersion(10, 11, 2), "mxs=400.1,"), (NukeVersion(11, 0, 0), "mxs=400.1,"),
    (NukeVersion(12, 0, 0), "maxPixelSize=400.1,"), (NukeVersion(14, 0, 0), "maxPixelSize=400.1,"),
  ])
  func theThumbnailNumberIsSpelledAsTheVersionDoes(version: NukeVersion, spelling: String) {
    let key = CacheKeyFormat(version: version, screenScale: 3)
      .dataCacheKey(imageID: "", thumbnail: ThumbnailOptions(maxPixelSize: 400.1))
    #expect(key == "com.github/kean/nuke/thumbnail?\(spelling)options=truetruetruetrue")
  }

  @Test(arguments: [
    (NukeVersion(13, 1, 0), 1.5, "17F"), (NukeVersion(13, 2, 0), 1.5, "FF"),
    (NukeVersion(13, 1, 0), -1, "FFFFFFFFFFFFFF01"), (NukeVersion(13, 2, 0), -1, "00"),
    (NukeVersion(10, 0, 0), 0.01, "03"), (NukeVersion(10, 0, 0), 0.5, "80"),
  ])
  func aColorComponentIsLimitedOnlySince13Point2(version: NukeVersion, red: Double, digits: String) {
    let color = ImageProcessor.Color(red: red, green: 0, blue: 0, alpha: 1)
    #expect(
      CacheKeyFormat(version: version).dataCacheKey(
        imageID: "", processors: [.circle(border: .init(color: color))])
        == "com.github.kean/nuke/circle?border=Border(color: #\(digits)0000, width: 1.0 pixels)")
  }

  @Test func whatAVersionCannotExpressIsNamedWithTheReason() {
    let small = ThumbnailOptions(maxPixelSize: 64)
    let sized = ThumbnailOptions(size: CGSize(width: 10, height: 10))
    func reason(_ version: NukeVersion, _ thumbnail: ThumbnailOptions) -> String? {
      CacheKeyFormat(version: version).unsupportedReason(thumbnail: thumbnail, processors: [])
    }
    #expect(reason(NukeVersion(10, 3, 4), small)?.contains("10.4.0") == true)
    #expect(reason(NukeVersion(10, 4, 0), small) == nil)
    #expect(reason(NukeVersion(11, 6, 4), sized)?.contains("12.0.0") == true)
    #expect(reason(NukeVersion(12, 0, 0), sized) == nil)
  }

  @Test(arguments: [Double.nan, .infinity, 1e30])
  func aColorThatWouldTrapInNukeHasAReasonAndDoesNotTrapHere(component: Double) {
    let border = ImageProcessor.Border(color: .init(red: component, green: 0, blue: 0, alpha: 1))
    let format = CacheKeyFormat(version: NukeVersion(12, 9, 0))
    let chain: [ImageProcessor] = [.roundedCorners(radius: 1, unit: .pixels, border: border)]
    #expect(format.unsupportedReason(thumbnail: nil, processors: chain) != nil)
    #expect(!format.dataCacheKey(imageID: "", processors: chain).isEmpty)
  }

  @Test func lookupKeysWalkFromTheWholeChainToTheOriginal() {
    let chain: [ImageProcessor] = [.custom(identifier: "1"), .custom(identifier: "2")]
    func keys(_ version: NukeVersion, _ options: RequestShape.Options = []) -> [String] {
      let shape = RequestShape(processorCount: chain.count, options: options)
      return version.lookups(for: shape).map {
        CacheKeyFormat(version: version).dataCacheKey(
          imageID: "U", processors: Array(chain.prefix($0.processorCount)))
      }
    }
    #expect(keys(NukeVersion(12, 5, 0)) == ["U12", "U"])
    #expect(keys(NukeVersion(12, 6, 0)) == ["U12", "U1", "U"])
    #expect(keys(NukeVersion(12, 6, 0), .returnCacheDataDontLoad) == ["U12"])
    #expect(keys(NukeVersion(12, 6, 0), .reloadIgnoringCachedData).isEmpty)
  }

  @Test func theEmptyKeyHasNoFile() {
    #expect(CacheKeyFormat.fileName(forKey: "") == nil)
    #expect(
      CacheKeyFormat.fileName(forKey: "http://test.com") == "50334ee0b51600df6397ce93ceed4728c37fee4e")
  }
}
