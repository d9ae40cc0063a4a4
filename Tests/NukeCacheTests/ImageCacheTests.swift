import Foundation
import Testing

@testable import Concurrency
@testable import NukeCache

/// What Nuke's public pages promise of `ImageCache`.
@Suite(.timeLimit(.minutes(10)))
struct ImageCacheTests {
  private func container(cost: Int = 4, width: Int = 1) throws -> ImageContainer {
    let image = PlatformImage(width: width, height: 1, pixels: Data(count: 4 * width), isOpaque: true)
    return ImageContainer(image: try #require(image), data: Data(count: cost - 4 * width))
  }

  private func request(_ name: String) -> ImageRequest {
    ImageRequest(url: URL(string: "https://example.com/\(name)"))
  }

  @Test func imagesAreReadAndWrittenByRequestAndByKey() throws {
    let cache = ImageCache()
    cache[request("a")] = try container(cost: 28, width: 7)
    #expect(cache[request("a")]?.image.width == 7)
    #expect(cache[ImageCacheKey(request: request("a"))]?.image.width == 7)
    #expect(cache[request("b")] == nil)
    cache[request("a")] = nil
    #expect(cache[request("a")] == nil)
    cache[ImageCacheKey(key: "own")] = try container()
    cache.removeAll()
    #expect(cache[ImageCacheKey(key: "own")] == nil)
  }

  @Test func theKeyIsImageIDThumbnailAndProcessors() {
    let plain = request("a")
    var (thumbnail, processed, renamed, urgent) = (plain, plain, plain, plain)
    thumbnail.thumbnail = ThumbnailOptions(maxPixelSize: 10)
    processed.processors = [.circle()]
    renamed.imageID = "a"
    urgent.priority = .high
    urgent.options = .disableDiskCache
    urgent.userInfo["x"] = 1

    let keys = [plain, thumbnail, processed, renamed].map(ImageCacheKey.init(request:))
    #expect(Set(keys).count == 4)
    #expect(ImageCacheKey(request: urgent) == keys[0])
    #expect(ImageCacheKey(key: "https://example.com/a") != keys[0])
    let colliding: [[ImageProcessor]] = [
      [.custom(identifier: "ab"), .custom(identifier: "c")],
      [.custom(identifier: "a"), .custom(identifier: "bc")],
    ]
    let collidingKeys = colliding.map { ImageCacheKey(request: ImageRequest(url: nil, processors: $0)) }
    #expect(Set(collidingKeys).count == 2)
  }

  @Test func theLeastRecentlyUsedImagesGoAtTheLimits() throws {
    let cache = ImageCache(costLimit: 1000)
    #expect(cache.countLimit == .max && cache.ttl == nil)
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]
    for name in names { cache[request(name)] = try container(cost: 99) }
    _ = cache[request("a")]
    cache[request("k")] = try container(cost: 99)
    #expect(cache[request("a")] != nil && cache[request("b")] == nil)
    cache.countLimit = 2
    #expect((names + ["k"]).filter { cache[request($0)] != nil } == ["a", "k"])
    cache.costLimit = 150
    #expect((names + ["k"]).filter { cache[request($0)] != nil } == ["k"])
    #expect(cache.costLimit == 150)
  }

  @Test func anImageMustCostLessThanATenthOfTheLimitAndLeavesNoPredecessorBehind() throws {
    let cache = ImageCache(costLimit: 1000)
    cache[request("a")] = try container(cost: 99)
    #expect(cache[request("a")] != nil)
    cache[request("a")] = try container(cost: 100)
    #expect(cache[request("a")] == nil)
    let memory = Double(ProcessInfo.processInfo.physicalMemory)
    #expect(ImageCache.shared.costLimit == Int(min(memory * 0.15, Double(768 << 20))))
  }

  @Test func anImageIsNoLongerGivenOutWhenItsTimeIsOver() throws {
    let time = TestClock()
    let cache = ImageCache(costLimit: 1000, countLimit: .max) { time.now }
    cache[request("before")] = try container()
    cache.ttl = 120
    cache[request("after")] = try container()

    time.advance(by: 119)
    #expect(cache[request("after")] != nil)
    time.advance(by: 1)
    #expect(cache[request("after")] == nil)
    #expect(cache[request("before")] != nil)
  }

  @Test func tasksMayUseACacheAtTheSameTime() async throws {
    let cache = ImageCache(costLimit: 50_000, countLimit: 50)
    let image = try container(cost: 900)
    await withTaskGroup { group in
      for task in 0..<8 {
        group.addTask {
          for step in 0..<2000 {
            let request = request("\((step * 7 + task) % 80)")
            if step % 3 == 0 { cache[request] = image } else { _ = cache[request] }
          }
        }
      }
    }
    #expect((0..<80).count { cache[request("\($0)")] != nil } <= 50)
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
