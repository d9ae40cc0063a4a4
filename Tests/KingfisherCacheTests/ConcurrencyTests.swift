import Foundation
import Testing

@testable import KingfisherCache

@Suite(.timeLimit(.minutes(10)))
struct ConcurrencyTests {
  @Test func aReaderSeesOneImageOrTheOtherAndNeverAPart() async throws {
    let kit = try CacheKit()
    let images = try [KFCrossPlatformImage.png(1, 1, padding: 50_000), .png(2, 2, padding: 90_000)]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<4 {
        group.addTask {
          for _ in 0..<25 {
            try await kit.store(images[index % 2], "k")
            let found = await kit.value { done in
              kit.cache.retrieveImageInDiskCache(forKey: "k") { done($0) }
            }
            #expect(try found.get().map(images.contains) == true)
            kit.cache.clearMemoryCache()
            kit.cache.cleanExpiredMemoryCache()
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try kit.names.count == 1)
  }
}
