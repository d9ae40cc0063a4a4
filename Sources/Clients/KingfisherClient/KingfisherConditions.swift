import ClientKit
import Text

/// What voids a warm cache in an app that uses Kingfisher.
///
/// Facts: Kingfisher 5.0.0 to 8.11.0, `ImageCache.swift`, `DiskStorage.swift`, `KingfisherManager.swift`,
/// `CacheSerializer.swift`, `ImagePrefetcher.swift`, `KF.swift`.
extension KingfisherClient {
  static let conditions: [CacheCondition] = [
    .init(
      "folder", "`ImageCache` has another name, a `cacheDirectoryURL` or a `diskCachePathClosure`",
      remedy:
        "name the folder `com.onevcat.Kingfisher.ImageCache.` and the cache's name, or as the closure says"),
    .init(
      "release",
      "The app has another release of Kingfisher, with other names (SHA-256 since 8.0.0) or identifiers",
      remedy: "the app's release in the job's `client` line; `BundleInstaller(folder:clientVersion:)`"),
    .init(
      "file-names", "`diskStorage.config.usesHashedFileName` is off: the key itself is the name",
      from: Release(5, 3, 0), remedy: "leave it on, the default"),
    .init(
      "path-extension", "`diskStorage.config.pathExtension` is set", remedy: "`path-extension` in the job"),
    .init(
      "auto-extension", "`diskStorage.config.autoExtAfterHashedFileName` is on", from: Release(6, 3, 0),
      remedy: "`auto-extension on` in the job"),
    .init(
      "forced-extension", "Requests have the option `forcedCacheFileExtension`", from: Release(8, 1, 0),
      remedy: "`forced-extension` in the job"),
    .init(
      "late-files",
      "Files come after the first touch of `ImageCache` or `KingfisherManager`: the folder is listed once",
      from: Release(5, 14, 1), remedy: "install the bundle before anything of Kingfisher is used"),
    .init(
      "lost-dates",
      "Files were copied without their modification dates, which are the expiry: all have expired",
      remedy: "install with `BundleInstaller`, which sets them"),
    .init(
      "builder", "`KF` and `KFImage` modifiers begin identifiers with `|>`; `.processor(...)` does not",
      from: Release(6, 0, 0), remedy: "`style builder` in the job, or `style=builder` by line"),
    .init(
      "default-processor", "`KingfisherManager.shared.defaultOptions` has a processor",
      remedy: "the same processor at the beginning of the job's chains"),
    .init(
      "scale-factor",
      "The option `scaleFactor` is not the job's scale (1 on macOS): the key is the same, the pixels are too few or many",
      remedy: "the app's `scaleFactor` as the job's `scale`; a folder for each"),
    .init(
      "mac-colors",
      "On macOS a colour's description in `roundCorner` and `border` differs, and `blend` is compositing",
      remedy: "`as \"identifier\"` in the job with what the app's processor prints"),
    .init(
      "original-data",
      "The serializer has `preferCacheOriginalData`: the processor runs on every hit, and so a second time",
      from: Release(7, 4, 1), remedy: "leave it off, or warm `original` alone"),
    .init(
      "serializer", "A cache serializer of the app's own expects other bytes than a picture's",
      remedy: "`DefaultCacheSerializer` or `FormatIndicatedCacheSerializer`"),
    .init(
      "original-cache", "`originalCache` names another cache than the one with the originals",
      remedy: "a job with chain `original` for that cache's folder"),
    .init(
      "prefetcher",
      "`ImagePrefetcher` takes no default options and fetches again where only the original is there",
      remedy: "pass the processor to it, and warm that chain"),
    .init(
      "changing-url",
      "URLs differ from launch to launch (signatures, tokens), or hold the app's container (`file:`)",
      remedy: "a `cacheKey` in the app, and `strip-query` or `id=` in the job"),
    .init(
      "disk-reads", "The request has `.forceRefresh` or `.fromMemoryCacheOrRefresh`",
      remedy: "requests without them"),
  ]
}
