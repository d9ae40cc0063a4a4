import ClientKit
import SDWebImageCache
import Syntax

/// `SDImageCacheType`: where a request stores or looks. Only the disk's part leaves files.
package enum SDImageCacheType: String, Hashable, Sendable, CaseIterable {
  case none, disk, memory, all

  var hasDisk: Bool { self == .disk || self == .all }
}

/// What requests do with an animated image and its transformers.
package enum AnimatedTransform: String, Hashable, Sendable, CaseIterable {
  /// They leave it alone, as they do by default.
  case off
  /// `.transformAnimatedImage` with transformers that draw one picture, as SDWebImage's do, or `.decodeFirstFrameOnly`.
  case first
  /// `.transformAnimatedImage` with transformers that draw each frame.
  case frames
}

/// The cache types that an app's requests have.
struct CacheTypes: Hashable, Sendable {
  /// Of what was made, or of the original where nothing is made.
  var result: SDImageCacheType
  /// Of the original beside it.
  var original: SDImageCacheType
  /// Where the original is looked up.
  var query: SDImageCacheType

  init(_ values: SettingValues, _ version: SDWebImageVersion) {
    let usual = version.usesOriginals ? SDImageCacheType.disk : .none
    result = values[SDWebImageSettings.storeType]
    original = values.given(SDWebImageSettings.originalStoreType) ?? usual
    query = values.given(SDWebImageSettings.originalQueryType) ?? usual
  }
}

/// What a job for SDWebImage says of its requests beside the release.
package enum SDWebImageSettings {
  static let storeType = SettingKey("store-cache-type", default: SDImageCacheType.all)
  /// The default depends on the release: see ``CacheTypes``.
  static let originalStoreType = SettingKey(
    "original-store-cache-type", default: SDImageCacheType.disk)
  static let originalQueryType = SettingKey(
    "original-query-cache-type", default: SDImageCacheType.disk)

  static let transformAnimated = SettingKey("transform-animated", default: AnimatedTransform.off)
  static let webpCoder = SettingKey("webp-coder", default: false)

  private static func cacheType(
    _ key: SettingKey<SDImageCacheType>, _ option: String, example: String, usual: String, _ detail: String
  ) -> Setting {
    Setting(
      key, .choices("TYPE", of: "cache type"), in: [.job, .line], .job, "SDWebImage's \(option)",
      example: "\(key.name) \(example)"
    ).with { ($0.detail, $0.defaultText) = (detail, usual) }
  }

  static let rows = [
    cacheType(
      storeType, "storeCacheType", example: "disk", usual: "all",
      """
      Where a request stores its result: none, disk, memory or all. A result that is not stored on disk is not made.
      """),
    cacheType(
      originalStoreType, "originalStoreCacheType", example: "none", usual: "by release",
      """
      Where a request with a thumbnail size or a transformer stores the original besides. By default on disk from \
      5.11.1 on, before it nowhere; none saves the room of the originals.
      """),
    cacheType(
      originalQueryType, "originalQueryCacheType", example: "none", usual: "by release",
      """
      Where a request looks for the original when its own entry is missing. By default on disk from 5.11.1 on, before \
      it nowhere.
      """),
    Setting(
      transformAnimated, .choices("HOW", of: "way"), in: [.job, .line], .job,
      "SDWebImage's transformAnimatedImage",
      example: "transform-animated frames",
      detail: """
        What transformers make of an animated image: off leaves it alone; first draws its first frame, as those of \
        SDWebImage do with .transformAnimatedImage; frames draws all frames, as an app's own may.
        """
    ).with(usual: "off"),
    Setting(
      webpCoder, .flag, in: .job, .job, "the app has a coder for animated WebP",
      example: "webp-coder on",
      detail: "On: SDImageWebPCoder or SDImageAWebPCoder. Without one, its first frame is all."
    ),
  ]
}

extension SDWebImageClient {
  /// What the job's release of SDWebImage does not have.
  package func faults(scales: [Double]) -> [SettingFault] {
    func missing(_ key: SettingKey<SDImageCacheType>, _ option: String, since: String) -> SettingFault {
      (key.name, Mistake(0, "SDWebImage \(version) has no \(option); it came with \(since)"))
    }
    var faults = severalScales(scales, "SDWebImage")
    if stores.original != .none, !version.storesOriginalsOnRequest {
      faults.append(missing(SDWebImageSettings.originalStoreType, "originalStoreCacheType", since: "5.1.0"))
    }
    if stores.query != .none, !version.queriesOriginalsOnRequest {
      faults.append(missing(SDWebImageSettings.originalQueryType, "originalQueryCacheType", since: "5.8.0"))
    }
    return faults
  }
}
