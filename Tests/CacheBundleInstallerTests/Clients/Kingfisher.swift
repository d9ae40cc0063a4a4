// The declarations of Kingfisher 8 that examples/app uses, so that the examples are checked where Kingfisher cannot be built.

import Foundation

public protocol ImageDataProvider: Sendable {
  var cacheKey: String { get }
  func data(handler: @escaping @Sendable (Result<Data, any Error>) -> Void)
}

public enum Source {
  case network(any Resource)
  case provider(any ImageDataProvider)
}

public protocol Resource: Sendable {}
extension URL: Resource {}

public enum CacheType: Sendable { case none, memory, disk }

open class ImageCache: @unchecked Sendable {
  public static let `default` = ImageCache()

  public init() {}
  public convenience init(name: String) { self.init() }

  open func imageCachedType(
    forKey key: String, processorIdentifier identifier: String = "", forcedExtension: String? = nil
  ) -> CacheType { .none }

  open func cachePath(
    forKey key: String, processorIdentifier identifier: String = "", forcedExtension: String? = nil
  ) -> String { key }
}
