// The declarations of SDWebImage 5 that examples/app uses, so that the examples are checked where SDWebImage cannot be
// built.

import Foundation

public typealias SDImageCacheAdditionalCachePathBlock = (String) -> String?

open class SDImageCache: NSObject, @unchecked Sendable {
  public static let shared = SDImageCache()

  open var diskCachePath: String { "" }
  open var additionalCachePathBlock: SDImageCacheAdditionalCachePathBlock?

  open func imageFromMemoryCache(forKey key: String?) -> NSObject? { nil }
  open func diskImageDataExists(withKey key: String?) -> Bool { false }
  open func cachePath(forKey key: String?) -> String? { key }
}

public struct SDWebImageOptions: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }
}

public struct SDWebImageContextOption: Hashable, Sendable {}

public final class SDWebImageOptionsResult: NSObject {
  public init(options: SDWebImageOptions, context: [SDWebImageContextOption: Any]?) {}
}

public typealias SDWebImageOptionsProcessorBlock =
  (URL?, SDWebImageOptions, [SDWebImageContextOption: Any]?) -> SDWebImageOptionsResult?

public final class SDWebImageOptionsProcessor: NSObject {
  public init(block: @escaping SDWebImageOptionsProcessorBlock) {}
}

public final class SDWebImageManager: NSObject, @unchecked Sendable {
  public static let shared = SDWebImageManager()

  public var optionsProcessor: SDWebImageOptionsProcessor?

  public func cacheKey(for url: URL?, context: [SDWebImageContextOption: Any]?) -> String? { nil }
}
