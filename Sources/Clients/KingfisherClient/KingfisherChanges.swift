import ClientKit
import Text

/// What Kingfisher's releases do otherwise than those before or after them.
///
/// Facts: Kingfisher's own code at its tags 5.0.0 to 8.11.0, run or read.
extension KingfisherClient {
  static let changes: [ReleaseChange] = [
    .init(
      .keys, to: Release(7, 0, 0),
      "Colours are `#rrggbbaa`, each component times 255 and cut."
        + " A file URL's key is its text"),
    .init(.keys, from: Release(5, 14, 0), "Radii of round corners can be fractions: `w_frac_0.5`"),
    .init(
      .keys, from: Release(6, 0, 0), "Modifiers of `KF` and `KFImage` append: the identifier begins with `|>`"
    ),
    .init(
      .keys, from: Release(6, 0, 0), to: Release(6, 1, 0),
      "`KFImage.url(_:cacheKey:)` ignores the key; `KF.url` does not"),
    .init(
      .keys, from: Release(7, 0, 0), to: Release(8, 4, 0), "A border has the name `RoundCornerImageProcessor`"
    ),
    .init(
      .keys, from: Release(7, 1, 0), "Colours are `(r,g,b,a)` with two decimals: `(0.20,0.40,0.60,0.80)`"),
    .init(
      .keys, from: Release(7, 1, 0), to: Release(7, 1, 2),
      "A file URL's key is `kingfisher.local.cacheKey/` and its path in the app; a key of the resource is ignored"
    ),
    .init(
      .keys, from: Release(7, 2, 0), to: Release(7, 2, 0),
      "A file URL's key is its text again; resources and providers of files without a key have the local one"),
    .init(
      .keys, from: Release(7, 2, 1),
      "A file URL's key is `kingfisher.local.cacheKey/` and its path in the app, unless the app gives one"),
    .init(.keys, from: Release(8, 5, 0), "A border has the name `BorderImageProcessor`"),
    .init(.names, to: Release(7, 12, 0), "The MD5 of the key"),
    .init(.names, from: Release(5, 3, 0), "`usesHashedFileName = false`: the key itself"),
    .init(
      .names, from: Release(6, 3, 0), to: Release(7, 11, 0),
      "`autoExtAfterHashedFileName`: what follows the key's last `.`, cut at its first `@`"),
    .init(
      .names, from: Release(7, 12, 0), to: Release(8, 10, 0),
      "`autoExtAfterHashedFileName`: of what stands before the key's first `@` the text after the last `.`"),
    .init(.names, from: Release(8, 0, 0), "The SHA-256 of the key: entries of older releases are not found"),
    .init(.names, from: Release(8, 1, 0), "`forcedCacheFileExtension` of a request"),
    .init(
      .names, from: Release(8, 11, 0),
      "`autoExtAfterHashedFileName`: as before, of letters and digits alone, 20 at most"),
    .init(
      .storage, to: Release(5, 2, 0),
      "Formats other than JPEG, PNG and GIF: the source's own bytes, also of results",
      at: "`CacheSerializer.swift`:100-107 of 5.1.0, :107 of 5.2.0"),
    .init(.storage, from: Release(5, 3, 0), "Formats other than JPEG, PNG and GIF: PNG"),
    .init(
      .storage, "A GIF that was drawn is not stored; without a processor its own bytes are",
      at: "`Image.swift`:249 of 6.3.1, :300 of 8.11.0"),
    .init(
      .storage, from: Release(5, 13, 0), "`preferCacheOriginalData`: the source's own bytes under each key",
      at: "`CacheSerializer.swift`:91-121 of 5.15.8, :104-126 of 8.11.0"),
    .init(
      .storage, from: Release(8, 7, 0), "A processor that keeps the animation stores its bytes",
      at: "`Image.swift`:140-160, `CacheSerializer.swift`:111-124 of 8.11.0"),
    .init(.lookups, to: Release(5, 14, 0), "Each lookup asks the file system"),
    .init(.lookups, from: Release(5, 10, 1), "`fromMemoryCacheOrRefresh` also ignores originals on disk"),
    .init(
      .lookups, from: Release(5, 14, 1),
      "The folder is listed once, at the start: files that come later are misses"),
    .init(.lookups, from: Release(7, 4, 1), "With `preferCacheOriginalData` the processor runs on each hit"),
    .init(
      .lookups, to: Release(8, 7, 0),
      "An original that cannot be decoded fails the request, or is never answered"),
    .init(
      .lookups, from: Release(8, 1, 0), to: Release(8, 8, 1),
      "The probe before a read ignores the forced extension"),
    .init(.lookups, from: Release(8, 8, 0), "An original that cannot be decoded is downloaded again"),
    .init(.lookups, from: Release(8, 9, 0), "The probe before a read knows the forced extension"),
    .init(
      .dates,
      "The modification date is the expiration, the creation date the last access; both are rounded up"),
    .init(.dates, to: Release(5, 7, 1), "A load from disk always begins the period again"),
    .init(.dates, from: Release(5, 1, 1), "macOS cleans when the app resigns active"),
    .init(.dates, from: Release(5, 8, 0), "`diskCacheAccessExtendingExpiration` decides what a load does"),
    .init(.drawing, to: Release(5, 2, 0), "Downsampling a stored original gives exactly the size"),
    .init(.drawing, from: Release(5, 3, 0), "Downsampling a stored original keeps its aspect ratio"),
    .init(.drawing, to: Release(5, 10, 1), "Each processor that draws turns a turned picture twice"),
    .init(
      .drawing, to: Release(7, 12, 0),
      "`blur` draws the unturned pixels of a turned picture, and keeps the turn"),
    .init(
      .drawing, to: Release(6, 3, 1), "Colour space: sRGB, wider colours are cut",
      at: "`ImageDrawing.swift`:483 of 5.0.0, `GraphicsContext.swift`:39 of 6.3.1"),
    .init(
      .drawing, from: Release(7, 0, 0), "Colour space: sRGB, or its extended range on screens with P3",
      at: "`ImageDrawing.swift`:593 of 7.0.0, :660 of 8.11.0"),
    .init(
      .drawing, from: Release(8, 6, 2), "Colour space on macOS: the picture's own; before, generic RGB",
      at: "`GraphicsContext.swift`:84-145 of 8.11.0"),
    .init(.code, from: Release(5, 9, 0), "Processors are joined by `|>`; before, by `>>`"),
    .init(.code, from: Release(6, 0, 0), "`KF` and the modifiers of `KFImage`"),
    .init(.code, from: Release(6, 1, 1), "A resource becomes a source with `overrideCacheKey`"),
    .init(.code, from: Release(7, 8, 0), "`ImageResource` is `KF.ImageResource`"),
  ]
}
