import ClientKit
import Foundation
import TestSupport
import Testing

@testable import ImagePipeline
@testable import KingfisherCache

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
    manager = KingfisherManager(
      loader: try KingfisherLoading(
        dataLoader: PipelineKit.loader(), executable: BuiltCommand.renderer.path),
      cache: cache)
    url = try #require(URL(string: "http://127.0.0.1:\(server.port)/a.jpg"))
  }

  @Test func aProcessedImageIsStoredUnderTheAppsKey() async throws {
    let processor = BlackWhiteProcessor()
    let options: KingfisherOptionsInfo = [.processor(processor), .waitForCache]
    let result = try await manager.retrieveImage(with: url, options: options)
    #expect(result.cacheType == .none)
    let key = "\(url.absoluteString)@\(processor.identifier)"
    #expect(try cache.diskStorage.value(forKey: key) == result.image.data)
    cache.clearMemoryCache()
    let again = try await manager.retrieveImage(with: url, options: options)
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
  }

  @Test func aMissingWorkerIsNamedAndNothingIsStored() async throws {
    let loading = try KingfisherLoading(
      dataLoader: PipelineKit.loader(), executable: folder.file("no-worker").path)
    let manager = KingfisherManager(loader: loading, cache: cache)
    let error = await #expect(throws: KingfisherError.self) {
      try await manager.retrieveImage(with: url, options: [.processor(BlackWhiteProcessor()), .waitForCache])
    }
    #expect(error?.description.contains("no-worker") == true, "\(String(describing: error))")
    #expect(try cache.diskStorage.totalSize() == 0)
  }

  @Test(arguments: [
    (EntryExpiry.never, StorageExpiration.never), (.after(seconds: 604_800), .days(7)),
    (
      .date(Date(timeIntervalSince1970: 1_900_000_000.5)), .date(Date(timeIntervalSince1970: 1_900_000_000.5))
    ),
  ])
  func aRunAndTheLibraryDateFilesAlike(job: EntryExpiry, library: StorageExpiration) {
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    #expect(job.date(from: now) == library.modificationDate(from: now))
  }
}
