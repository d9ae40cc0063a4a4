import ClientKit
import Text

/// What voids a warm cache in an app that uses Nuke.
///
/// Facts: Nuke 10.0.0 to 13.2.0, `ImagePipeline+Configuration.swift`, `DataCache.swift`, `ImagePipeline+Cache.swift`,
/// `ImageRequest.swift`, `ImageProcessingOptions.swift` (`Screen.scale` in `Graphics.swift`).
extension NukeClient {
  static let conditions: [CacheCondition] = [
    .init(
      "url-cache",
      "The app has no `DataCache` at all, as `ImagePipeline.shared` by default (`.withURLCache`): it finds nothing",
      remedy:
        "`configuration.dataCache = try DataCache(name: \"com.example.catalog\")`; from 11.0.0 on also `.withDataCache(name:)`"
    ),
    .init(
      "folder",
      "The `DataCache` has another folder: `.withDataCache` without a name is `com.github.kean.Nuke.DataCache` in Caches",
      remedy: "give the cache folder that name, or `DataCache(name:)`, or `DataCache(path:)`"),
    .init(
      "release", "The app has another release of Nuke, with other keys or lookups",
      remedy: "the app's release in the job's `client` line; `BundleInstaller(folder:clientVersion:)`"),
    .init(
      "file-names", "The `DataCache` has a `filenameGenerator` of the app's own",
      remedy: "leave it out: names are the SHA-1 of the key"),
    .init(
      "cache-key",
      "The pipeline's delegate implements `cacheKey(for:pipeline:)`: its text is the whole key",
      remedy: "in the job `id=KEY` with that text, and `as \"\"` behind each processor or `original`"),
    .init(
      "data-cache",
      "The delegate implements `dataCache(for:pipeline:)`: requests go to another cache, or with nil to none",
      remedy: "a job for each cache, with the requests that go there; those of nil in none"),
    .init(
      "will-cache",
      "The delegate's `willCache(data:image:for:pipeline:completion:)` changes or refuses data: entries here have not passed it",
      remedy:
        "`encode` where it encodes once more; leave out of the job what it refuses, or what it makes unreadable"
    ),
    .init(
      "image-encoder",
      "The delegate's `imageEncoder(for:pipeline:)`, or `makeImageEncoder`, writes other than JPEG 0.8 and PNG",
      remedy: "`encode` in the job with its format and quality; found is either"),
    .init(
      "changing-url",
      "URLs differ from launch to launch (signatures, tokens), or hold the app's container (`file:`)",
      remedy: "an image ID in the app, and `strip-query` or `id=` in the job"),
    .init(
      "user-info", "`userInfo` with `imageIdKey`, `thumbnailKey` or `scaleKey` compiles and is ignored",
      from: Release(13, 0, 0), remedy: "the request's properties `imageID`, `thumbnail` and `scale`"),
    .init(
      "default-processors", "The configuration's `processors` are added to requests that have none",
      to: Release(10, 9, 0), remedy: "the same processors in the job's chain"),
    .init(
      "view-processors",
      "`LazyImage`, `FetchImage` or the loading into a view adds `processors` of its own",
      remedy: "the same processors in the job's chain"),
    .init(
      "mac-scale", "On macOS, and on visionOS (12.1.6 and later), a point is one pixel on every screen",
      remedy: "a job with `scale 1`, or `unit: .pixels` in the app and `unit: pixels` in the job"),
    .init(
      "scale-zero",
      "The first size in points is made off the main thread: the scale stays 0 in all keys of the process",
      from: Release(12, 7, 0), to: Release(13, 0, 6),
      remedy: "make a request with a size in points on the main thread first, or `unit: .pixels`"),
    .init(
      "scale-late", "Sizes in points that are made before any on the main thread are those of a 1x screen",
      from: Release(13, 1, 0),
      remedy: "make a request with a size in points on the main thread first, or `unit: .pixels`"),
    .init(
      "compression", "`isCompressionEnabled` is on: a plain file does not decompress and is a miss",
      from: Release(11, 6, 0), to: Release(12, 9, 0), remedy: "leave it off, the default"),
    .init(
      "disk-reads",
      "The request has `.disableDiskCacheReads`, `.disableDiskCache` or `.reloadIgnoringCachedData`",
      remedy: "requests without them"),
  ]
}
