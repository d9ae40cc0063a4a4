import Foundation
import TestSupport
import Testing

@testable import KingfisherCache

/// The order in which a request looks, and what it leaves behind.
@Suite(.timeLimit(.minutes(10)))
struct ManagerTests {
  static let blur = KingfisherOptionsInfoItem.processor(ManagerKit.blur)

  @Test func anImageComesFromTheNetworkThenFromMemoryThenFromDisk() async throws {
    let requests = try ManagerKit()
    #expect(try await requests.get().cacheType == .none)
    #expect(try await requests.get().cacheType == .memory)
    requests.cache.clearMemoryCache()
    #expect(try await requests.get().cacheType == .disk)
    #expect(try await requests.get().cacheType == .memory)
    #expect(requests.downloader.count == 1)
  }

  @Test func aCachedOriginalServesEveryProcessorWithoutTheNetwork() async throws {
    let requests = try ManagerKit(downloads: nil)
    try requests.kit.plant(.pngBeginning(100, 50), requests.key)
    let result = try await requests.get(Self.blur, .onlyFromCache)
    #expect(result.cacheType == .none)
    #expect(result.image.pixelWidth == 90)
    #expect(requests.cache.isCached(forKey: requests.key, processorIdentifier: ManagerKit.blur.identifier))
    requests.cache.clearMemoryCache()
    #expect(try await requests.get(Self.blur).cacheType == .disk)
    #expect(requests.renderer.calls.count == 1)
  }

  @Test func theProcessorsOwnEntryGoesBeforeTheOriginal() async throws {
    let requests = try ManagerKit(downloads: nil)
    try requests.kit.plant(.pngBeginning(100, 50), requests.key)
    try requests.kit.plant(.pngBeginning(7, 7), requests.blurredKey)
    let result = try await requests.get(Self.blur)
    #expect(result.cacheType == .disk && result.image.pixelWidth == 7)
    #expect(requests.renderer.calls.isEmpty)
  }

  @Test func anOriginalIsKeptWhereThatIsAsked() async throws {
    let requests = try ManagerKit()
    _ = try await requests.get(Self.blur)
    #expect(try requests.kit.names.count == 1)
    let other = try ManagerKit()
    _ = try await other.get(Self.blur, .cacheOriginalImage, .diskCacheExpiration(.seconds(60)))
    #expect(try Data(contentsOf: other.kit.file(other.key)) == .pngBeginning(100, 50))
    #expect(try other.kit.dates(other.key).expiry == TestClock.start.addingTimeInterval(60))
  }

  @Test func originalsCanLieInACacheOfTheirOwn() async throws {
    let requests = try ManagerKit()
    let originals = try ImageCache(name: "originals", cacheDirectoryURL: requests.kit.temporary.url)
    _ = try await requests.get(Self.blur, .cacheOriginalImage, .originalCache(originals))
    #expect(originals.isCached(forKey: requests.key))
    #expect(try requests.kit.names.count == 1)
    // The plain image of this cache is made of that original, too.
    let plain = try await requests.get(.originalCache(originals), .onlyFromCache)
    #expect(plain.cacheType == .none && plain.image.pixelWidth == 100)
  }

  @Test func memoryOnlyWritesNothingButReadsTheDisk() async throws {
    let requests = try ManagerKit()
    _ = try await requests.get(.cacheMemoryOnly)
    #expect(try requests.kit.names.isEmpty)
    let other = try ManagerKit(downloads: nil)
    try other.kit.plant(.pngBeginning(5, 5), other.key)
    #expect(try await other.get(.cacheMemoryOnly).cacheType == .disk)
  }

  @Test func fromMemoryOrRefreshDoesNotLookAtTheDisk() async throws {
    let requests = try ManagerKit()
    try requests.kit.plant(.pngBeginning(5, 5), requests.key)
    #expect(try await requests.get(.fromMemoryCacheOrRefresh).image.pixelWidth == 100)
    #expect(try await requests.get(.fromMemoryCacheOrRefresh).cacheType == .memory)
    #expect(requests.downloader.count == 1)
  }

  @Test(arguments: [(KingfisherVersion(5, 10, 0), 0), (KingfisherVersion(5, 10, 1), 1), (.latest, 1)])
  func originalsOnDiskAreRefreshedSince5101(version: KingfisherVersion, downloads: Int) async throws {
    let requests = try ManagerKit(version: version)
    try requests.kit.plant(.pngBeginning(100, 50), requests.key)
    _ = try await requests.get(Self.blur, .fromMemoryCacheOrRefresh)
    #expect(requests.downloader.count == downloads)
  }

  @Test(arguments: [(KingfisherVersion(7, 4, 0), 0), (KingfisherVersion(7, 4, 1), 1), (.latest, 1)])
  func keptOriginalsAreProcessedAtEveryHitSince741(version: KingfisherVersion, drawn: Int) async throws {
    let requests = try ManagerKit(version: version, downloads: nil)
    try requests.kit.plant(.pngBeginning(100, 50), requests.blurredKey)
    var serializer = DefaultCacheSerializer.default
    serializer.preferCacheOriginalData = true
    _ = try await requests.get(Self.blur, .cacheSerializer(serializer))
    #expect(requests.renderer.calls.count == drawn)
  }

  @Test func defaultOptionsHoldBeforeTheRequestsOwn() async throws {
    let requests = try ManagerKit()
    requests.manager.defaultOptions = [.processor(HalvingProcessor()), .scaleFactor(2)]
    #expect(try await requests.get().image.pixelWidth == 50)
    #expect(try await requests.get(Self.blur).image.pixelWidth == 90)
  }

  @Test func theScaleIsNotInTheKey() async throws {
    let requests = try ManagerKit()
    _ = try await requests.get()
    requests.cache.clearMemoryCache()
    let image = try await requests.get(.scaleFactor(2)).image
    #expect(image.size == BuiltInProcessor.Size(width: 50, height: 25))
    #expect(requests.downloader.count == 1)
  }

  @Test func aFailedDownloadIsNamedAndLeavesNothing() async throws {
    let requests = try ManagerKit(downloads: nil)
    let error = await #expect(throws: KingfisherError.self) { try await requests.get() }
    #expect(error?.description.contains("https://example.com/a.png") == true)
    #expect(try requests.kit.names.isEmpty)
  }

  @Test func aDownloadThatIsNoImageIsNotStored() async throws {
    let requests = try ManagerKit(downloads: Data("<html>".utf8))
    await #expect(throws: KingfisherError.self) { try await requests.get() }
    #expect(!requests.cache.isCached(forKey: requests.key))
  }

  @Test func aFileIsReadAndNotDownloaded() async throws {
    let requests = try ManagerKit(downloads: nil)
    let file = requests.kit.temporary.file("local.png")
    try Data.pngBeginning(8, 8).write(to: file)
    let result = try await requests.manager.retrieveImage(with: file, options: [.waitForCache])
    #expect(result.image.pixelWidth == 8)
    #expect(requests.cache.isCached(forKey: "kingfisher.local.cacheKey//" + file.path))
  }

  @Test func theSharedManagerCanBeReplaced() throws {
    let requests = try ManagerKit()
    KingfisherManager.shared = requests.manager
    #expect(KingfisherManager.shared === requests.manager)
  }
}
