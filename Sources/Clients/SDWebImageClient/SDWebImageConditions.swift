import ClientKit
import Text

/// What voids a warm cache in an app that uses SDWebImage.
///
/// Facts: SDWebImage 5.0.0 to 5.21.5, `SDImageCache.m`, `SDDiskCache.m`, `SDWebImageManager.m`, `SDWebImageDefine.h`.
extension SDWebImageClient {
  static let conditions: [CacheCondition] = [
    .init(
      "folder",
      "`SDImageCache` has another namespace, or an app sets `defaultDiskCacheDirectory` or `diskCacheDirectory`",
      remedy:
        "name the folder `com.hackemist.SDImageCache/` and the namespace, or as the app's directory says"),
    .init(
      "release",
      "The app has another release of SDWebImage, with another tint key (5.20.0) or extensions (5.19.7)",
      remedy: "the app's release in the job's `client` line; `BundleInstaller(folder:clientVersion:)`"),
    .init(
      "major-release", "The app still has SDWebImage 4: its marks and folder are others",
      remedy: "SDWebImage 5"),
    .init(
      "key-filter", "A `cacheKeyFilter` of the manager or the request returns another key",
      remedy: "`id=` or `strip-query` in the job, with what the filter returns"),
    .init(
      "disk-cache-class", "`SDImageCacheConfig.diskCacheClass` names a disk cache of the app's own",
      remedy: "leave it out: `SDDiskCache`"),
    .init(
      "no-disk", "`storeCacheType` or `queryCacheType` of the requests leaves the disk out",
      remedy: "requests without them, or with `disk` or `all`"),
    .init("from-loader", "The request has `.fromLoaderOnly`", remedy: "requests without it"),
    .init(
      "refresh",
      "The request has `.refreshCached`: the cached image shows, and the app downloads all the same",
      remedy: "requests without it"),
    .init(
      "no-original-query", "Only the original is warm, and requests with a transformer never look at it",
      to: Release(5, 7, 4), remedy: "warm the chains themselves"),
    .init(
      "original-query",
      "Only the original is warm, and requests do not set `originalQueryCacheType`", from: Release(5, 8, 0),
      to: Release(5, 11, 0), remedy: "warm the chains themselves, or set it to `disk`"),
    .init(
      "thumbnail-original",
      "Only the original is warm, and requests with a thumbnail size never look for it at the URL's key",
      from: Release(5, 5, 0), to: Release(5, 12, 6), remedy: "warm the chains themselves"),
    .init(
      "thumbnail-memory",
      "Only the original is warm: a thumbnail that is made of it is reported to replace it in memory",
      from: Release(5, 21, 7), remedy: "warm the thumbnails themselves"),
    .init(
      "original-cache",
      "`SDWebImageContextOriginalImageCache` names another cache than the one with the originals",
      from: Release(5, 11, 0), remedy: "a job with chain `original` for that cache's folder"),
    .init(
      "transformer-type",
      "`SDWebImageManager.shared.transformer` adds a transformer to requests without one",
      remedy: "the same transformer in the job's chains"),
    .init(
      "animated",
      "Requests have `.transformAnimatedImage` or `.decodeFirstFrameOnly`, or the app a WebP coder",
      remedy: "`transform-animated` and `webp-coder` in the job"),
    .init(
      "scale-factor",
      "`imageScaleFactor` or `@2x.` in the URL is not the job's scale: the key is the same, the pixels are not",
      remedy: "the app's scale factor as the job's `scale`; a folder for each"),
    .init(
      "old-files",
      "Files were copied with old dates: the app's first clean-up in the background takes them",
      remedy: "install with `BundleInstaller`, which dates them, or `additionalCachePathBlock`"),
    .init(
      "max-disk-age", "`maxDiskAge` is 0 or short: a clean-up takes what is older",
      remedy: "a week, the default, or more"),
    .init(
      "url-encoding",
      "Before iOS 17 `NSURL` has none for a key with spaces or braces, which makes other marks of it",
      remedy: "keys that are URLs as they stand"),
    .init(
      "changing-url",
      "URLs differ from launch to launch (signatures, tokens), or hold the app's container (`file:`)",
      remedy: "a `cacheKeyFilter` in the app, and `strip-query` or `id=` in the job"),
  ]
}
