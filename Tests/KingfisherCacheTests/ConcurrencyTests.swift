import Foundation
import TestSupport
import Testing

@testable import KingfisherCache

@Suite(.timeLimit(.minutes(10)))
struct ConcurrencyTests {
  @Test func aReaderSeesOneImageOrTheOtherAndNeverAPart() async throws {
    let kit = try CacheKit()
    let images = [KFCrossPlatformImage.png(1, 1, padding: 50_000), .png(2, 2, padding: 90_000)]
    await kit.cache.store(images[0], forKey: "k")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<4 {
        group.addTask {
          for _ in 0..<25 {
            await kit.cache.storeToDisk(images[index % 2].data, forKey: "k")
            let found = try await kit.cache.retrieveImageInDiskCache(forKey: "k")
            #expect(found.map(images.contains) == true)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try kit.names.count == 1)
  }

  @Test func everythingAtOnceEndsWhole() async throws {
    let kit = try CacheKit()
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<6 {
        group.addTask {
          for round in 0..<20 {
            let key = "\((index + round) % 5)"
            await kit.cache.store(.png(), forKey: key)
            _ = try? await kit.cache.retrieveImage(forKey: key)
            try? await kit.cache.removeImage(forKey: key)
            if round == 10 { try? await kit.cache.clearCache() }
            try? await kit.cache.cleanExpiredCache()
            kit.cache.memoryStorage.config.cleanInterval = TimeInterval(1 + round % 2)
          }
        }
      }
    }
    #expect(try kit.names.allSatisfy { !$0.hasPrefix(".") })
  }

  @Test func requestsOfOneManagerRunSideBySide() async throws {
    let requests = try ManagerKit()
    try await withThrowingTaskGroup(of: Int.self) { group in
      for index in 0..<20 {
        let resource = ImageResource(downloadURL: requests.url, cacheKey: "\(index % 4)")
        group.addTask { try await requests.manager.retrieveImage(with: resource).image.pixelWidth }
      }
      for try await width in group { #expect(width == 100) }
    }
    await requests.manager.waitForStores()
    #expect(try requests.kit.names.count == 4)
  }
}
