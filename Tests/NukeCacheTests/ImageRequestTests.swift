import Foundation
import Testing

@testable import NukeCache

@Suite(.timeLimit(.minutes(10)))
struct ImageRequestTests {
  private let url = URL(string: "https://example.com/image.jpeg")

  @Test func aRequestHoldsWhatTheAppSays() {
    let request = ImageRequest(
      url: url, processors: [.resize(width: 320), .circle()], priority: .high,
      options: [.reloadIgnoringCachedData], userInfo: ["a": 1], thumbnail: ThumbnailOptions(maxPixelSize: 9))
    #expect(request.url == url)
    #expect(request.processors == [.resize(width: 320), .circle()])
    #expect(request.priority == .high)
    #expect(request.options == .reloadIgnoringCachedData)
    #expect(request.userInfo["a"] as? Int == 1)
    #expect(request.thumbnail == ThumbnailOptions(maxPixelSize: 9))
  }

  @Test func whatIsNotSaidIsPlain() {
    let request = "https://example.com/image.jpeg".asImageRequest()
    #expect(request.url == url)
    #expect(request.processors.isEmpty)
    #expect(request.priority == .normal)
    #expect(request.options.isEmpty)
    #expect(request.thumbnail == nil)
  }

  @Test func theImageIDIsTheURLSTextUnlessAnotherIsSetAnEmptyOneToo() {
    var request = ImageRequest(url: url)
    #expect(request.imageID == "https://example.com/image.jpeg")
    request.imageID = "product-2"
    #expect(request.imageID == "product-2")
    request.imageID = ""
    #expect(request.imageID == "")
    request.imageID = nil
    #expect(request.imageID == "https://example.com/image.jpeg")
    #expect(ImageRequest(url: nil).imageID == nil)
    let relative = URL(string: "b.png", relativeTo: URL(string: "https://example.com/a/"))
    #expect(ImageRequest(url: relative).imageID == "https://example.com/a/b.png")
  }

  @Test func aRequestIsAValue() {
    let original = ImageRequest(url: url)
    var copy = original
    copy.processors.append(.circle())
    copy.priority = .veryLow
    #expect(original.processors.isEmpty)
    #expect(original.priority == .normal)
  }

  @Test func prioritiesAreOrdered() {
    #expect(ImageRequest.Priority.allCases.sorted() == [.veryLow, .low, .normal, .high, .veryHigh])
  }

  @Test(arguments: [
    (ImageRequest.Options.disableMemoryCacheReads, false, true, true, true),
    (.disableMemoryCacheWrites, true, false, true, true), (.disableMemoryCache, false, false, true, true),
    (.disableDiskCacheReads, true, true, false, true), (.disableDiskCacheWrites, true, true, true, false),
    (.disableDiskCache, true, true, false, false), (.reloadIgnoringCachedData, false, true, false, true),
    (.returnCacheDataDontLoad, true, true, true, true), (ImageRequest.Options(), true, true, true, true),
  ])
  func optionsSayWhichCachesAreReadAndWritten(
    options: ImageRequest.Options, memoryRead: Bool, memoryWrite: Bool, diskRead: Bool, diskWrite: Bool
  ) {
    #expect(options.readsMemoryCache == memoryRead)
    #expect(options.writesMemoryCache == memoryWrite)
    #expect(options.readsDiskCache == diskRead)
    #expect(options.writesDiskCache == diskWrite)
  }

  @Test func theShapeOfARequestIsWhatTheRulesOfTheDiskCacheAskFor() {
    let request = ImageRequest(
      url: url, processors: [.circle(), .circle()],
      options: [.disableDiskCache, .disableMemoryCache, .returnCacheDataDontLoad],
      thumbnail: ThumbnailOptions(maxPixelSize: 9))
    let expected = RequestShape(
      hasThumbnail: true, processorCount: 2,
      options: [.disableDiskCacheReads, .disableDiskCacheWrites, .returnCacheDataDontLoad])
    #expect(RequestShape(request) == expected)
    #expect(
      RequestShape(ImageRequest(url: url, options: .reloadIgnoringCachedData)).options
        == .reloadIgnoringCachedData)
    #expect(RequestShape(ImageRequest(url: url)) == RequestShape())
  }

  @Test func anImageCostsItsPixelsAndItsData() throws {
    let image = try #require(PlatformImage(width: 3, height: 2, pixels: Data(count: 24), isOpaque: false))
    #expect(ImageContainer(image: image).cost == 24 && !image.isOpaque)
    #expect(ImageContainer(image: image, data: Data(count: 5)).cost == 29)
  }

  @Test(arguments: [(0, 1, 0), (1, 0, 0), (2, 1, 7), (1, 1, 3), (1, 2, 9), (.max, 2, 4), (-1, -1, 4)])
  func pixelsThatDoNotFitTheSizeAreNoImage(width: Int, height: Int, count: Int) {
    #expect(PlatformImage(width: width, height: height, pixels: Data(count: count), isOpaque: true) == nil)
  }
}
