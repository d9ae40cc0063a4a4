import Foundation
import Testing

@testable import Concurrency
@testable import NukeCache

/// What Nuke's public pages promise of `ImageCache`.
@Suite(.timeLimit(.minutes(10)))
struct ImageCacheTests {
  private func container(cost: Int = 0, width: Int = 1) -> ImageContainer {
    ImageContainer(image: .undecoded(width: width, height: 1, isOpaque: true), data: Data(count: cost))
  }

  private func request(_ name: String) -> ImageRequest {
    ImageRequest(url: URL(string: "https://example.com/\(name)"))
  }

  @Test func imagesAreReadAndWrittenByRequestAndByKey() {
    let cache = ImageCache()
    cache[request("a")] = container(width: 7)
    #expect(cache[request("a")]?.image.width == 7)
    #expect(cache[ImageCacheKey(request: request("a"))]?.image.width == 7)
    #expect(cache[request("b")] == nil)
    cache[request("a")] = nil
    #expect(cache[request("a")] == nil)
    cache[ImageCacheKey(key: "own")] = container()
    #expect(cache.totalCount == 1)
    cache.removeAll()
    #expect(cache.totalCount == 0)
  }

  @Test func theKeyIsImageIDScaleThumbnailAndProcessors() {
    let plain = request("a")
    var (scaled, thumbnail, processed, renamed, urgent) = (plain, plain, plain, plain, plain)
    scaled.scale = 2
    thumbnail.thumbnail = ThumbnailOptions(maxPixelSize: 10)
    processed.processors = [.circle()]
    renamed.imageID = "a"
    urgent.priority = .high
    urgent.options = .disableDiskCache
    urgent.userInfo["x"] = 1

    let keys = [plain, scaled, thumbnail, processed, renamed].map(ImageCacheKey.init(request:))
    #expect(Set(keys).count == 5)
    #expect(ImageCacheKey(request: urgent) == keys[0])
    #expect(ImageCacheKey(key: "https://example.com/a") != keys[0])
    let colliding: [[ImageProcessor]] = [
      [.custom(identifier: "ab"), .custom(identifier: "c")],
      [.custom(identifier: "a"), .custom(identifier: "bc")],
    ]
    let collidingKeys = colliding.map { ImageCacheKey(request: ImageRequest(url: nil, processors: $0)) }
    #expect(Set(collidingKeys).count == 2)
  }

  @Test func theLeastRecentlyUsedImagesGoWhenTheCostLimitIsReached() {
    let cache = ImageCache(costLimit: 1000)
    for name in ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"] {
      cache[request(name)] = container(cost: 99)
    }
    _ = cache[request("a")]
    cache[request("k")] = container(cost: 99)
    #expect(cache.totalCost == 990)
    #expect(cache[request("a")] != nil)
    #expect(cache[request("b")] == nil)
  }

  @Test func theCountLimitHoldsAndBothCanBeTrimmedByHand() {
    let cache = ImageCache(costLimit: 10_000, countLimit: 3)
    for name in ["a", "b", "c", "d"] { cache[request(name)] = container(cost: 100) }
    #expect(cache.totalCount == 3)
    #expect(cache[request("a")] == nil)
    cache.trim(toCost: 200)
    #expect(cache.totalCount == 2)
    cache.trim(toCount: 1)
    #expect(cache[request("d")] != nil)
    cache.trim(toCost: 0)
    #expect(cache.totalCount == 0)
  }

  @Test func limitsAreSettingsThatCanBeChanged() {
    let cache = ImageCache(costLimit: 10_000)
    #expect(cache.countLimit == .max)
    #expect(cache.ttl == nil)
    #expect(cache.entryCostLimit == 0.1)
    for name in ["a", "b", "c"] { cache[request(name)] = container(cost: 100) }
    cache.countLimit = 2
    #expect(cache.totalCount == 2)
    cache.costLimit = 150
    #expect(cache.costLimit == 150)
    #expect(cache.totalCost == 100)
    cache.entryCostLimit = 7
    #expect(cache.entryCostLimit == 1)
  }

  @Test func anImageMustCostLessThanATenthOfTheLimit() {
    let cache = ImageCache(costLimit: 1000)
    cache[request("a")] = container(cost: 99)
    cache[request("b")] = container(cost: 100)
    #expect(cache[request("a")] != nil)
    #expect(cache[request("b")] == nil)
    cache.entryCostLimit = 0.5
    cache[request("b")] = container(cost: 499)
    #expect(cache[request("b")] != nil)
  }

  @Test func anImageThatIsTooCostlyDoesNotLeaveItsPredecessorBehind() {
    let cache = ImageCache(costLimit: 1000)
    cache[request("a")] = container(cost: 50)
    cache[request("a")] = container(cost: 500)
    #expect(cache[request("a")] == nil)
  }

  @Test func anImageIsNoLongerGivenOutWhenItsTimeIsOver() {
    let time = TestClock()
    let cache = ImageCache(costLimit: 1000, countLimit: .max, version: .latest) { time.now }
    cache[request("before")] = container()
    cache.ttl = 120
    cache[request("after")] = container()

    time.advance(by: 119)
    #expect(cache[request("after")] != nil)
    time.advance(by: 1)
    #expect(cache[request("after")] == nil)
    #expect(cache[request("before")] != nil)
  }

  @Test(arguments: [
    (NukeVersion(10, 0, 0), 8 << 30, (8 << 30) / 5), (NukeVersion(11, 6, 4), 512 << 20, (512 << 20) / 10),
    (NukeVersion(11, 6, 4), (512 << 20) + 10, ((512 << 20) + 10) / 5),
    (NukeVersion(12, 0, 0), 8 << 30, 512 << 20), (NukeVersion(12, 9, 0), 1 << 30, (1 << 30) / 5),
    (NukeVersion(13, 0, 0), 8 << 30, 768 << 20), (NukeVersion(13, 2, 0), 1000, 150),
  ])
  func theDefaultCostLimitFollowsTheMemoryAndTheVersion(
    version: NukeVersion, memory: Int, limit: Int
  ) {
    #expect(version.imageCostLimit(physicalMemory: UInt64(memory)) == limit)
  }

  @Test(arguments: [
    (NukeVersion(10, 0, 0), 1000, true), (NukeVersion(10, 1, 0), 1000, false),
    (NukeVersion(13, 0, 4), Int(Int32.max) + 1, true), (NukeVersion(13, 0, 4), Int(Int32.max), false),
    (NukeVersion(13, 0, 5), Int(Int32.max) + 1, false),
  ])
  func whetherASingleImageCanFillTheCacheDependsOnTheVersion(
    version: NukeVersion, limit: Int, isStored: Bool
  ) {
    let cache = ImageCache(costLimit: limit, version: version)
    // A limit so small that the rule bites at any cost limit, where there is a rule.
    if version >= NukeVersion(10, 1, 0) { cache.entryCostLimit = 1e-9 }
    cache[request("a")] = container(cost: 900)
    #expect((cache[request("a")] != nil) == isStored)
  }

  @Test func theSharedCacheHasTheNewestDefaultLimit() {
    let memory = ProcessInfo.processInfo.physicalMemory
    let expected = NukeVersion.latest.imageCostLimit(physicalMemory: memory)
    #expect(ImageCache.shared.costLimit == expected)
  }

  @Test func tasksMayUseACacheAtTheSameTime() async {
    let cache = ImageCache(costLimit: 50_000, countLimit: 50)
    await withTaskGroup { group in
      for task in 0..<8 {
        group.addTask {
          for step in 0..<2000 {
            let request = request("\((step * 7 + task) % 80)")
            if step % 3 == 0 { cache[request] = container(cost: step % 2000) } else { _ = cache[request] }
            if step % 500 == 499 { cache.trim(toCount: 10) }
          }
        }
      }
    }
    #expect(cache.totalCount <= 50)
    #expect(cache.totalCost <= 50_000)
  }
}

/// A clock that stands still unless it is told to move.
private final class TestClock: Sendable {
  private let instant = Locked(Moment.now)

  var now: Moment { instant.withLock { $0 } }

  func advance(by seconds: Double) {
    instant.withLock { $0 = $0 + seconds }
  }
}
