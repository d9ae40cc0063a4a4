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

  public init(configuration: Configuration) {}
}
