import ClientKit
import Text

/// What SDWebImage's releases do otherwise than those before or after them.
///
/// Facts: SDWebImage's own code at its tags 5.0.0 to 5.21.5, read, and run for keys.
extension SDWebImageClient {
  static let changes: [ReleaseChange] = [
    ReleaseChange(
      .keys, from: Release(5, 7, 0), "Thumbnails: `Thumbnail({W,H},P)`, before the transformer's part"),
    ReleaseChange(.keys, to: Release(5, 19, 7), "`SDImageTintTransformer(COLOUR)`"),
    ReleaseChange(.keys, from: Release(5, 20, 0), "`SDImageTintTransformer(COLOUR,MODE)`"),
    ReleaseChange(
      .names, "The MD5 of the key, and the extension of its path; one with a space does not count"),
    ReleaseChange(.names, to: Release(5, 19, 6), "NUL and `:` stay in the extension"),
    ReleaseChange(
      .names, from: Release(5, 19, 7),
      "NUL and `:` are taken out of the extension, which a URL without a path takes from the key's text"),
    ReleaseChange(
      .storage, to: Release(5, 13, 5),
      "An animation is not transformed: its own bytes are stored under the URL's key alone",
      at: "`SDWebImageManager.m`:299 of 5.0.0, :386,440 of 5.7.0, :483,544 of 5.12.6"),
    ReleaseChange(
      .storage, from: Release(5, 1, 0), "The original can be stored beside the result; by default it is not"),
    ReleaseChange(
      .storage, from: Release(5, 4, 0), "The app's own data in an extended attribute of the file"),
    ReleaseChange(
      .storage, from: Release(5, 6, 0), "A result is encoded in the format that its picture remembers",
      at: "`SDImageCache.m`:195-209 of 5.7.0, :272-288 of 5.21.5"),
    ReleaseChange(
      .storage, from: Release(5, 7, 0), to: Release(5, 12, 6),
      "Under a thumbnail's key its source's own bytes are stored, and nothing under the URL's",
      at: "`SDWebImageManager.m`:393-405 of 5.7.0"),
    ReleaseChange(.storage, from: Release(5, 11, 1), "The original is stored beside the result by default"),
    ReleaseChange(
      .storage, from: Release(5, 13, 0), "A thumbnail is encoded again",
      at: "`SDWebImageManager.m`:507-513, `SDImageCache.m`:264-290 of 5.21.5"),
    ReleaseChange(
      .storage, from: Release(5, 14, 0),
      "An animation is not transformed: its own bytes are stored under the URL's key and under the transformer's",
      at: "`SDWebImageManager.m`:503-536, 566-592, 610-640 of 5.21.5"),
    ReleaseChange(.lookups, to: Release(5, 7, 4), "The whole key alone"),
    ReleaseChange(
      .lookups, from: Release(5, 8, 0), to: Release(5, 11, 0),
      "The whole key, then the original if the request asks for it"),
    ReleaseChange(.lookups, from: Release(5, 11, 1), "The whole key, then the original"),
    ReleaseChange(
      .lookups, from: Release(5, 7, 0), to: Release(5, 12, 6),
      "With a thumbnail, the original of a transformer is the thumbnail's entry"),
    ReleaseChange(
      .lookups, from: Release(5, 13, 0), "The original has the URL's key also with a thumbnail",
      at: "`originalCacheKeyForURL:`"),
    ReleaseChange(
      .dates, to: Release(5, 19, 7), "An entry's age counts from its modification date; a read sets none"),
    ReleaseChange(.dates, from: Release(5, 5, 0), "The age can also count from the creation or change date"),
    ReleaseChange(
      .dates, from: Release(5, 20, 0), "An entry's age counts from its access date, which a read sets"),
    ReleaseChange(
      .drawing, to: Release(5, 4, 3), "`blur` has a window of half the radius",
      at: "`sd_blurredImageWithRadius:`"),
    ReleaseChange(
      .drawing, from: Release(5, 5, 0), "`blur` has a window of the whole radius",
      at: "`sd_blurredImageWithRadius:`"),
    ReleaseChange(
      .drawing, from: Release(5, 15, 5), "`blur` always makes three passes",
      at: "`sd_blurredImageWithRadius:`"),
    ReleaseChange(
      .drawing, from: Release(5, 20, 0), to: Release(5, 21, 1),
      "`tint` draws source-in, whatever the blend mode"),
    ReleaseChange(
      .drawing, to: Release(5, 12, 4),
      "`crop` cuts the stored pixels of a turned picture."
        + " Colour space: sRGB, wider colours are cut by the decoder",
      at: "`SDImageCoderHelper.m`:197-214, 248 of 5.0.0"),
    ReleaseChange(
      .drawing, from: Release(5, 12, 5), "Colour space: the decoder may keep a wider one, by the device",
      at: "`SDImageCoderHelper.m`:328-350 of 5.12.6, :654-720 of 5.21.5"),
    ReleaseChange(.code, from: Release(5, 9, 0), "`SDImageCache.defaultDiskCacheDirectory`"),
    ReleaseChange(.code, from: Release(5, 11, 0), "A second cache for originals: `originalImageCache`"),
  ]
}
