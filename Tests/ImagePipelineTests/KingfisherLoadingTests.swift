import ClientKit
import Foundation
import KingfisherCache
import TestSupport
import Testing

@testable import ImagePipeline
@testable import Planning

/// Kingfisher's manager over the real loader and the real workers.
@Suite(.timeLimit(.minutes(10)))
struct KingfisherLoadingTests {
  let folder: TemporaryFolder
  let server: OriginServer
  let cache: ImageCache
  let manager: KingfisherManager
  let url: URL
  let picture: [UInt8]

  init() throws {
    folder = try TemporaryFolder()
    let picture = try PipelineKit.picture("mountains.jpg")
    self.picture = picture
    server = try OriginServer { request in
      let body = request.path == "/cut.jpg" ? Array(picture.prefix(400)) : picture
      return OriginServer.Answer(headers: ["Content-Type": "image/jpeg"], body: body)
    }
    cache = try ImageCache(name: "test", cacheDirectoryURL: folder.url)
    var loading = KingfisherLoading(dataLoader: PipelineKit.loader())
    loading.renderer = BuiltCommand.renderer.path
    loading.workers = 1
    manager = try KingfisherManager(loading: loading, cache: cache)
    url = try #require(URL(string: "http://127.0.0.1:\(server.port)/a.jpg"))
  }

  @Test func aProcessedImageAndItsOriginalAreStoredUnderTheAppsKeys() async throws {
    let processor = BlackWhiteProcessor()
    let result = try await manager.retrieveImage(
      with: url, options: [.processor(processor), .cacheOriginalImage, .waitForCache])
    let key = url.absoluteString
    #expect(result.cacheType == .none)
    #expect(try Data(contentsOf: URL(fileURLWithPath: cache.cachePath(forKey: key))) == Data(picture))
    let path = try cache.cachePath(forKey: key, processorIdentifier: processor.identifier)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == result.image.data)

    cache.clearMemoryCache()
    let again = try await manager.retrieveImage(with: url, options: [.processor(processor)])
    #expect(again.cacheType == .disk && again.image == result.image)
    #expect(server.requests.count == 1)
  }

  @Test func aCachedOriginalIsProcessedWithoutTheNetwork() async throws {
    _ = try await manager.retrieveImage(with: url, options: [.waitForCache])
    cache.clearMemoryCache()
    let result = try await manager.retrieveImage(
      with: url, options: [.processor(BlurImageProcessor(blurRadius: 4)), .onlyFromCache])
    #expect(result.cacheType == .none)
    #expect(server.requests.count == 1)
  }

  /// The radius is in points. The scale is in no key, so each request refreshes.
  @Test func aBlurGrowsWithTheScale() async throws {
    var results: [Data] = []
    for (radius, scale) in [(4.0, 1.0), (4, 2), (4, 3), (8, 1), (12, 1)] {
      let blur = BlurImageProcessor(blurRadius: radius)
      let options: KingfisherOptionsInfo = [.processor(blur), .scaleFactor(scale), .forceRefresh]
      results.append(try await manager.retrieveImage(with: url, options: options).image.data)
    }
    #expect(Set(results).count == 3)
    #expect(results[1] == results[3] && results[2] == results[4])
  }

  @Test func aPictureThatIsCutIsNeitherGivenNorStored() async throws {
    let cut = try #require(URL(string: "http://127.0.0.1:\(server.port)/cut.jpg"))
    await #expect(throws: KingfisherError.self) {
      try await manager.retrieveImage(with: cut, options: [.waitForCache])
    }
    #expect(!cache.isCached(forKey: cut.absoluteString))
    // Its header alone would pass for a picture.
    #expect(KFCrossPlatformImage(data: Data(picture)) != nil)
    await cache.storeToDisk(Data(picture.prefix(400)), forKey: cut.absoluteString)
    let error = await #expect(throws: KingfisherError.self) { try await manager.retrieveImage(with: cut) }
    #expect(error?.isImageNotExisting == true)
  }

  @Test func aMissingWorkerIsNamedAndNothingIsStored() async throws {
    var loading = KingfisherLoading(dataLoader: PipelineKit.loader())
    loading.renderer = folder.file("no-worker").path
    let manager = try KingfisherManager(loading: loading, cache: cache)
    let error = await #expect(throws: KingfisherError.self) {
      try await manager.retrieveImage(with: url, options: [.processor(BlackWhiteProcessor()), .waitForCache])
    }
    #expect(error?.description.contains("no-worker") == true, "\(String(describing: error))")
    #expect(try await cache.calculateDiskStorageSize() == 0)
  }

  @Test(arguments: [
    (EntryExpiry.never, StorageExpiration.never), (.after(seconds: 604_800), .days(7)),
    (
      .date(Date(timeIntervalSince1970: 1_900_000_000.5)), .date(Date(timeIntervalSince1970: 1_900_000_000.5))
    ),
  ])
  func aRunAndTheLibraryDateFilesAlike(job: EntryExpiry, library: StorageExpiration) {
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    #expect(job.date(from: now) == ExpirationDate.modificationDate(for: library, from: now))
  }
}
