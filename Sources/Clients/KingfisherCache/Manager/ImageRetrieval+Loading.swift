import Concurrency
import Foundation

extension ImageRetrieval {
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
  private struct State: Sendable {
    var tasks: [Int: Task<Void, Never>] = [:]
    var next = 0
  }

  private let state = Locked(State())

  func begin(_ work: @escaping @Sendable () async -> Void) {
    state.withLock { state in
      let number = state.next
      state.next += 1
      // The task cannot take itself out before it is in: that needs the lock, which is held here.
      state.tasks[number] = Task {
        await work()
        self.state.withLock { _ = $0.tasks.removeValue(forKey: number) }
      }
    }
  }

  /// Returns when everything begun before is done.
  func wait() async {
    for task in state.withLock({ Array($0.tasks.values) }) { await task.value }
  }
}
