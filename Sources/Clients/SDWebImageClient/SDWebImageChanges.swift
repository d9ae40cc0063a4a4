import ClientKit
import Text

/// What SDWebImage's releases do otherwise than those before or after them.
///
/// Facts: SDWebImage's own code at its tags 5.0.0 to 5.21.7, read, and run for keys; of 5.5.0 to 5.6.1 its change log and what
/// its pull requests say.
extension SDWebImageClient {
  static let changes: [ReleaseChange] = [
    .init(
      .keys, from: Release(5, 5, 0), to: Release(5, 6, 1),
      "Thumbnails: `Thumbnail({W,H},P)`; with a transformer its part alone",
      at: "`SDWebImageManager.m`:115-133 of 5.5.2, #2966"),
    .init(
      .keys, from: Release(5, 7, 0), "Thumbnails: `Thumbnail({W,H},P)`, before the transformer's part",
      at: "`SDThumbnailedKeyForKey`, #2966"),
    .init(.keys, to: Release(5, 19, 7), "`SDImageTintTransformer(COLOUR)`"),
    .init(.keys, from: Release(5, 20, 0), "`SDImageTintTransformer(COLOUR,MODE)`"),
    .init(.names, "The MD5 of the key, and the extension of its path; one with a space does not count"),
    .init(.names, to: Release(5, 19, 6), "NUL and `:` stay in the extension"),
    .init(
      .names, from: Release(5, 19, 7),
      "NUL and `:` are taken out of the extension, which a URL without a path takes from the key's text"),
    .init(
      .storage, to: Release(5, 13, 5),
      "An animation is not transformed: its own bytes are stored under the URL's key alone",
      at: "`SDWebImageManager.m`:299 of 5.0.0, :386,440 of 5.7.0, :483,544 of 5.12.6"),
    .init(
      .storage, from: Release(5, 1, 0), "The original can be stored beside the result; by default it is not"),
    .init(.storage, from: Release(5, 4, 0), "The app's own data in an extended attribute of the file"),
    .init(
      .storage, to: Release(5, 5, 2), "A result is encoded as PNG with transparency, else as JPEG"),
    .init(
      .storage, from: Release(5, 6, 0),
      "A result is encoded in the format that its picture remembers; without one as GIF with several frames, "
        + "PNG with transparency, else JPEG",
      at: "`SDImageCache.m`:195-209 of 5.7.0, :272-288 of 5.21.5, #2953"),
    .init(
      .storage, from: Release(5, 6, 0), to: Release(5, 7, 0),
      "Results of transformers keep the source's format",
      at: "`SDImageCopyAssociatedObject` in `SDWebImageManager.m`, out with #2976"),
    .init(
      .storage, from: Release(5, 7, 1), to: Release(5, 19, 0),
      "Results of transformers have no format to remember",
      at: "#2976"),
    .init(
      .storage, from: Release(5, 19, 1), "Results of transformers keep the source's format",
      at: "`preserveImageMetadata`, #3688"),
    .init(
      .storage, from: Release(5, 5, 0), to: Release(5, 12, 6),
      "Under a thumbnail's key its source's own bytes are stored, and nothing under the URL's",
      at: "`SDWebImageManager.m`:393-405 of 5.7.0"),
    .init(.storage, from: Release(5, 11, 1), "The original is stored beside the result by default"),
    .init(
      .storage, from: Release(5, 13, 0), "A thumbnail is encoded again",
      at: "`SDWebImageManager.m`:507-513, `SDImageCache.m`:264-290 of 5.21.5"),
    .init(
      .storage, from: Release(5, 21, 6),
      "A thumbnail is encoded again also of an `SDAnimatedImage`; before, it stores its own data", at: "#3866"
    ),
    .init(
      .storage, from: Release(5, 14, 0),
      "Without a transformer the original is stored by `originalStoreCacheType` and by `storeCacheType`."
        + " So is an animation, which is not transformed, under the URL's key and under the transformer's",
      at: "`SDWebImageManager.m`:543-575, 595-620 of 5.14.0, :503-536, 556-592, 610-640 of 5.21.5"),
    .init(.lookups, to: Release(5, 7, 4), "The whole key alone"),
    .init(
      .lookups, from: Release(5, 8, 0), to: Release(5, 11, 0),
      "The whole key, then the original if the request asks for it"),
    .init(.lookups, from: Release(5, 11, 1), "The whole key, then the original"),
    .init(
      .lookups, from: Release(5, 8, 0), to: Release(5, 12, 6),
      "With a thumbnail, the original of a transformer is the thumbnail's entry"),
    .init(
      .lookups, from: Release(5, 13, 0), "The original has the URL's key also with a thumbnail",
      at: "`originalCacheKeyForURL:`"),
    .init(
      .lookups, from: Release(5, 21, 7),
      "Reported: a thumbnail made of an original on disk is put into memory under the original's key",
      at: "#3866"),
    .init(
      .dates, to: Release(5, 19, 7), "An entry's age counts from its modification date; a read sets none"),
    .init(.dates, from: Release(5, 5, 0), "The age can also count from the creation or change date"),
    .init(.dates, from: Release(5, 20, 0), "An entry's age counts from its access date, which a read sets"),
    .init(
      .drawing, to: Release(5, 4, 3), "`blur` has a window of half the radius",
      at: "`sd_blurredImageWithRadius:`"),
    .init(
      .drawing, from: Release(5, 5, 0), "`blur` has a window of the whole radius",
      at: "`sd_blurredImageWithRadius:`"),
    .init(
      .drawing, from: Release(5, 15, 5), "`blur` always makes three passes",
      at: "`sd_blurredImageWithRadius:`"),
    .init(
      .drawing, from: Release(5, 19, 6), "A JPEG is turned by an orientation that it has in XMP alone",
      at: "`test29ThatJFIFDecodeOrientationShouldNotApplyTwice`"),
    .init(
      .drawing, from: Release(5, 20, 0), to: Release(5, 21, 1),
      "`tint` draws source-in, whatever the blend mode"),
    .init(
      .drawing, to: Release(5, 12, 4),
      "`crop` cuts the stored pixels of a turned picture."
        + " Colour space: sRGB, wider colours are cut by the decoder",
      at: "`SDImageCoderHelper.m`:197-214, 248 of 5.0.0"),
    .init(
      .drawing, from: Release(5, 12, 5), "Colour space: the decoder may keep a wider one, by the device",
      at: "`SDImageCoderHelper.m`:328-350 of 5.12.6, :654-720 of 5.21.5"),
    .init(.code, from: Release(5, 9, 0), "`SDImageCache.defaultDiskCacheDirectory`"),
    .init(.code, from: Release(5, 11, 0), "A second cache for originals: `originalImageCache`"),
  ]
}
