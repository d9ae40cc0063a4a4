import Foundation
import TestSupport
import Testing

@testable import Concurrency
@testable import KingfisherCache

/// The requests of Kingfisher's page "Common Tasks - Cache" in the forms that an app writes, without `await`. The view is
/// the few lines that a program without views needs.
@Suite(.timeLimit(.minutes(10)))
struct CachePageFormsTests {
  /// Stands where the page has an image view.
  private struct ImageView {
    let manager: KingfisherManager
    var kf: Self { self }

    func setImage(
      with resource: (any Resource)?, options: KingfisherOptionsInfo? = nil,
      completionHandler: (@Sendable (Result<RetrieveImageResult, KingfisherError>) -> Void)? = nil
    ) {
      guard let resource else { return }
      manager.retrieveImage(with: resource, options: options, completionHandler: completionHandler)
    }
  }

  private let requests: ManagerKit
  private let imageView: ImageView

  init() throws {
    requests = try ManagerKit()
    imageView = ImageView(manager: requests.manager)
  }

  /// What a request says when it ends.
  private func type(
    _ request: (@escaping @Sendable (Result<RetrieveImageResult, KingfisherError>) -> Void) -> Void
  ) async -> CacheType? {
    await withCheckedContinuation { continuation in
      request { continuation.resume(returning: try? $0.get().cacheType) }
    }
  }

  @Test func aRequestTakesTheOptionsOfThePage() async throws {
    let url = requests.url
    let cache = requests.cache
    let resource = ImageResource(downloadURL: url, cacheKey: "my_cache_key")
    #expect(await type { imageView.kf.setImage(with: resource, completionHandler: $0) } == CacheType.none)
    #expect(cache.isCached(forKey: "my_cache_key"))

    let processor = RoundCornerImageProcessor(cornerRadius: 20)
    #expect(
      await type {
        imageView.kf.setImage(with: url, options: [.processor(processor)], completionHandler: $0)
      } == CacheType.none)
    #expect(cache.isCached(forKey: url.cacheKey, processorIdentifier: processor.identifier))

    let never: KingfisherOptionsInfo = [.memoryCacheExpiration(.never)]
    #expect(
      await type { imageView.kf.setImage(with: url, options: never, completionHandler: $0) } == CacheType.none
    )
    #expect(
      await type {
        imageView.kf.setImage(with: url, options: [.onlyFromCache], completionHandler: $0)
      } == .memory)
    #expect(
      await type {
        imageView.kf.setImage(with: url, options: [.forceRefresh], completionHandler: $0)
      } == CacheType.none)
    let own = try ImageCache(name: "my-own-cache", cacheDirectoryURL: requests.kit.temporary.url)
    #expect(
      await type {
        imageView.kf.setImage(with: url, options: [.targetCache(own)], completionHandler: $0)
      } == CacheType.none)
    #expect(own.isCached(forKey: url.cacheKey))
  }

  @Test func aHandlerMayAskTheDiskInside() async {
    let url = requests.url
    let cache = requests.cache
    let isThere = await withCheckedContinuation { continuation in
      imageView.kf.setImage(with: url, options: [.waitForCache]) { _ in
        cache.retrieveImageInDiskCache(forKey: url.cacheKey) { result in
          switch result {
          case .success(let image): continuation.resume(returning: image != nil)
          case .failure: continuation.resume(returning: false)
          }
        }
      }
    }
    #expect(isThere)
  }
}
