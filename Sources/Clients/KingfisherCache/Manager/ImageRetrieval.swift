import Concurrency
import Foundation

/// One request of a manager: which cache is asked for what, and what is stored.
///
/// Facts: `KingfisherManager` of 6.3.1 to 8.11.0, whole requests run on Linux.
struct ImageRetrieval {
  let manager: KingfisherManager
  let source: Source
  let options: KingfisherParsedOptionsInfo
  let targetCache: ImageCache
  let originalCache: ImageCache
  let key: String
  let identifier: String
  let version: KingfisherVersion

  init(manager: KingfisherManager, source: Source, options: KingfisherParsedOptionsInfo) {
    var options = options
    options.renderer = options.renderer ?? manager.renderer
    self.manager = manager
    self.source = source
    self.options = options
    targetCache = options.targetCache ?? manager.cache
    originalCache = options.originalCache ?? targetCache
    version = targetCache.version
    key = source.cacheKey(in: version)
    identifier = options.processor.identifier(in: version)
  }

  func result() async throws(KingfisherError) -> RetrieveImageResult {
    if !options.forceRefresh {
      if let found = try await fromTargetCache() { return found }
      if let found = try await fromOriginal() { return found }
      if options.onlyFromCache { throw notExisting }
    }
    return try await fromSource()
  }

  /// The entry of exactly this request. A damaged one fails the request.
  private func fromTargetCache() async throws(KingfisherError) -> RetrieveImageResult? {
    let type = targetCache.imageCachedType(
      forKey: key, processorIdentifier: identifier, forcedExtension: probedExtension)
    guard type == .memory || type == .disk && !options.fromMemoryCacheOrRefresh else { return nil }
    let found = try await targetCache.retrieveImage(forKey: key, options: options)
    guard let image = found.image else { throw notExisting }
    let processesAgain = options.cacheSerializer.originalDataUsed && version.processesKeptOriginals
    return RetrieveImageResult(
      image: processesAgain ? try await process(.image(image)) : image, cacheType: found.cacheType,
      source: source)
  }

  /// The cached original with the processor applied, which is stored.
  private func fromOriginal() async throws(KingfisherError) -> RetrieveImageResult? {
    guard !identifier.isEmpty || originalCache !== targetCache else { return nil }
    var plain = options
    plain.processor = DefaultImageProcessor.default
    if !version.refreshesOriginals { plain.fromMemoryCacheOrRefresh = false }
    let type = originalCache.imageCachedType(forKey: key, forcedExtension: probedExtension)
    guard type == .memory || type == .disk && !plain.fromMemoryCacheOrRefresh else { return nil }
    guard let original = try await originalCache.retrieveImage(forKey: key, options: plain).image else {
      // From 5.10.1 to 8.7.0 Kingfisher never answers such a request; an error is as near as one can come.
      if version.replacesDamagedOriginals { return nil }
      throw notExisting
    }
    let image = try await process(.image(original))
    await store(image, original: nil)
    return RetrieveImageResult(image: image, cacheType: .none, source: source)
  }

  private func fromSource() async throws(KingfisherError) -> RetrieveImageResult {
    let data = try await load()
    let image = try await process(.data(data))
    await store(image, original: data)
    return RetrieveImageResult(image: image, cacheType: .none, source: source)
  }

  private func process(_ item: ImageProcessItem) async throws(KingfisherError) -> KFCrossPlatformImage {
    let image: KFCrossPlatformImage?
    do {
      image = try await options.processor.process(item: item, options: options)
    } catch let error as KingfisherError {
      throw error
    } catch is CancellationError {
      throw .requestError(reason: .taskCancelled)
    } catch {
      throw .processorError(reason: .processingFailed(identifier: identifier, reason: "\(error)"))
    }
    guard let image else {
      throw .processorError(reason: .processingFailed(identifier: identifier, reason: nil))
    }
    return image
  }

  /// Up to 8.8.1 the probe does not know of a forced extension.
  private var probedExtension: String? { version.probesForcedExtension ? options.forcedExtension : nil }

  private var notExisting: KingfisherError { .cacheError(reason: .imageNotExisting(key: key)) }

  /// The source's bytes.
  func load() async throws(KingfisherError) -> Data {
    switch source {
    case .network(let resource) where resource.downloadURL.isFileURL:
      return try await data(of: LocalFileImageDataProvider(fileURL: resource.downloadURL))
    case .network(let resource): return try await download(resource.downloadURL)
    case .provider(let provider): return try await data(of: provider)
    }
  }

  private func download(_ url: URL) async throws(KingfisherError) -> Data {
    guard let downloader = options.downloader ?? manager.downloader else {
      throw .requestError(reason: .noDownloader)
    }
    do {
      return try await downloader.download(url)
    } catch let error as KingfisherError {
      throw error
    } catch {
      if Task.isCancelled { throw .requestError(reason: .taskCancelled) }
      throw .responseError(reason: .downloadFailed(url: url.absoluteString, error: error))
    }
  }

  private func data(of provider: any ImageDataProvider) async throws(KingfisherError) -> Data {
    do {
      return try await provider.data()
    } catch {
      if Task.isCancelled { throw .requestError(reason: .taskCancelled) }
      throw .responseError(reason: .dataProviderFailed(key: key, error: error))
    }
  }

  /// Stores a result, in memory at once, and its original where that is asked for. Files are waited for only with
  /// `.waitForCache`.
  ///
  /// - Parameter original: the bytes that were downloaded; nil for a result of a cached original.
  func store(_ image: KFCrossPlatformImage, original: Data?) async {
    await targetCache.store(image, original: original, forKey: key, options: options, toDisk: false)
    let keepsOriginal = options.cacheOriginalImage && !identifier.isEmpty
    let (target, originals, key, options) = (targetCache, originalCache, key, options)
    let work: @Sendable () async -> Void = {
      if !options.cacheMemoryOnly {
        await target.store(image, original: original, forKey: key, options: options)
      }
      // Kingfisher forgets the forced extension here.
      if keepsOriginal, let original {
        await originals.storeToDisk(original, forKey: key, expiration: options.diskCacheExpiration)
      }
    }
    if options.waitForCache { await work() } else { manager.pendingStores.begin(work) }
  }
}

/// Stores that go on after their request was answered.
final class PendingStores: Sendable {
  /// It waits for those before it, side by side with which it works.
  private let last = Locked<Task<Void, Never>?>(nil)

  func begin(_ work: @escaping @Sendable () async -> Void) {
    last.withLock { last in
      let earlier = last
      last = Task {
        await work()
        await earlier?.value
      }
    }
  }

  /// Returns when everything begun before is done.
  func wait() async { await last.withLock { $0 }?.value }
}
