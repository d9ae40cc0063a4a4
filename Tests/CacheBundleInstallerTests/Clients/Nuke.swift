// The declarations of Nuke 12 and 13 that examples/app uses, so that the examples are checked where Nuke cannot be built.

import Foundation

public protocol DataCaching: Sendable {
  func cachedData(for key: String) -> Data?
  func containsData(for key: String) -> Bool
  func storeData(_ data: Data, for key: String)
  func removeData(for key: String)
  func removeAll()
}

public final class DataCache: DataCaching {
  public init(name: String) throws {}
  public static func filename(for key: String) -> String? { nil }
  public func cachedData(for key: String) -> Data? { nil }
  public func containsData(for key: String) -> Bool { false }
  public func storeData(_ data: Data, for key: String) {}
  public func removeData(for key: String) {}
  public func removeAll() {}
}

public final class ImagePipeline: Sendable {
  nonisolated(unsafe) public static var shared = ImagePipeline(configuration: Configuration())

  public struct Configuration: Sendable {
    public static func withDataCache(name: String, sizeLimit: Int? = nil) -> Configuration { Configuration() }
  }

  public init(configuration: Configuration, delegate: (any Delegate)? = nil) {}

  public protocol Delegate: AnyObject, Sendable {
    func imageTask(_ task: ImageTask, didReceiveEvent event: ImageTask.Event, pipeline: ImagePipeline)
  }

  public struct Cache: Sendable {
    public func makeDataCacheKey(for request: ImageRequest) -> String { "" }
  }

  public var cache: Cache { Cache() }
}

public struct ImageRequest: Sendable {
  public var url: URL?
}

public struct ImageResponse: Sendable {
  public enum CacheType: Sendable { case memory, disk }
  public var cacheType: CacheType?
}

public final class ImageTask: Sendable {
  public enum Event: Sendable {
    case finished(Result<ImageResponse, any Error>)
    case cancelled
  }

  public let request: ImageRequest

  init(request: ImageRequest) { self.request = request }
}
