import Foundation

@testable import Concurrency
@testable import NukeCache

/// A disk cache without a disk.
final class MemoryDataCache: DataCaching {
  private let storage = Locked<[String: Data]>([:])

  var keys: [String] { storage.withLock { $0.keys.sorted() } }
  var values: [Data] { storage.withLock { Array($0.values) } }

  func cachedData(for key: String) -> Data? { storage.withLock { $0[key] } }
  func containsData(for key: String) -> Bool { cachedData(for: key) != nil }
  func storeData(_ data: Data, for key: String) { storage.withLock { $0[key] = data } }
  func removeData(for key: String) { storage.withLock { _ = $0.removeValue(forKey: key) } }
  func removeAll() { storage.withLock { $0 = [:] } }
}

/// Encodes everything to one word and decodes everything to an image that says so.
struct StubCoder: ImageEncoding, ImageDecoding {
  struct Failure: Error {}

  var fails = false

  func encode(_ container: ImageContainer, for request: ImageRequest) -> Data? {
    fails ? nil : Data("encoded".utf8)
  }

  func decode(_ data: Data, for request: ImageRequest) throws -> ImageContainer {
    if fails { throw Failure() }
    return ImageContainer(
      image: .undecoded(width: 1, height: 1, isOpaque: true), userInfo: ["decoded": true])
  }
}
