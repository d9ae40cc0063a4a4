// The declarations of SDWebImage 5 that examples/app uses, so that the examples are checked where SDWebImage cannot be
// built.

import Foundation

#if canImport(UIKit)
  import UIKit
#endif

public typealias SDImageCacheAdditionalCachePathBlock = (String) -> String?

open class SDImageCache: NSObject, @unchecked Sendable {
  public static let shared = SDImageCache()

  open var diskCachePath: String { "" }
  open var additionalCachePathBlock: SDImageCacheAdditionalCachePathBlock?

  open func imageFromMemoryCache(forKey key: String?) -> NSObject? { nil }
  open func diskImageDataExists(withKey key: String?) -> Bool { false }
  open func cachePath(forKey key: String?) -> String? { key }

  #if SDWEBIMAGE_5_6
    open func queryImage(
      forKey key: String?, options: SDWebImageOptions = [], context: [SDWebImageContextOption: Any]?,
      completion: SDImageCacheQueryCompletionBlock? = nil
    ) -> (any SDWebImageOperation)? {
      completion?(nil, nil, .none)
      return nil
    }
  #endif
}

public enum SDImageCacheType: Int, Sendable { case none, disk, memory, all }
public typealias SDImageCacheQueryCompletionBlock = (NSObject?, Data?, SDImageCacheType) -> Void
public protocol SDWebImageOperation: NSObjectProtocol {}
public protocol SDImageTransformer: NSObjectProtocol { var transformerKey: String { get } }
// swift-format-ignore: AlwaysUseLowerCamelCase
public func SDTransformedKeyForKey(_ key: String?, _ transformerKey: String) -> String? {
  key.map { $0.hasSuffix(".jpg") ? "\($0.dropLast(4))-\(transformerKey).jpg" : "\($0)-\(transformerKey)" }
}

public struct SDWebImageOptions: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  public static let fromCacheOnly = SDWebImageOptions(rawValue: 1)
  public static let fromLoaderOnly = SDWebImageOptions(rawValue: 2)
}

public struct SDWebImageContextOption: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let imageTransformer = SDWebImageContextOption(rawValue: "imageTransformer")
  public static let cacheKeyFilter = SDWebImageContextOption(rawValue: "cacheKeyFilter")
}

#if !SDWEBIMAGE_5_6
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

    #if canImport(UIKit)
      public func loadImage(
        with url: URL?, options: SDWebImageOptions = [], context: [SDWebImageContextOption: Any]?,
        progress: SDImageLoaderProgressBlock?, completed: @escaping SDInternalCompletionBlock
      ) -> SDWebImageCombinedOperation? { nil }
    #endif
  }

  public enum SDImageScaleMode: UInt, Sendable { case fill, aspectFit, aspectFill }

  public final class SDImageResizingTransformer: NSObject, SDImageTransformer {
    public let transformerKey = ""
    public init(size: CGSize, scaleMode: SDImageScaleMode) {}
  }

  #if canImport(UIKit)
    public final class SDWebImageCombinedOperation: NSObject, SDWebImageOperation {}
    public typealias SDImageLoaderProgressBlock = (Int, Int, URL?) -> Void
    public typealias SDInternalCompletionBlock = (UIImage?, Data?, (any Error)?, SDImageCacheType, Bool, URL?)
      -> Void
  #endif
#endif
