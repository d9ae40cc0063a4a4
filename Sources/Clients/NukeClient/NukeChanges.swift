import ClientKit
import Text

/// What Nuke's releases do otherwise than those before or after them.
///
/// Facts: Nuke's own code at its tags 10.0.0 to 13.2.0, run or read; few of them stand in its change log.
extension NukeClient {
  static let changes: [ReleaseChange] = [
    .init(.keys, to: Release(10, 3, 4), "There are no thumbnails"),
    .init(.keys, to: Release(10, 9, 0), "The pipeline's `processors` are added to requests without any"),
    .init(.keys, from: Release(10, 4, 0), to: Release(10, 11, 2), "Thumbnails are `mxs=N`, N a Double"),
    .init(.keys, to: Release(10, 11, 2), "The screen's scale is read for each processor"),
    .init(.keys, from: Release(11, 0, 0), to: Release(11, 6, 4), "Thumbnails are `mxs=N`, N a Float"),
    .init(.keys, from: Release(11, 0, 0), to: Release(12, 6, 0), "The screen's scale is read once"),
    .init(
      .keys, from: Release(12, 0, 0),
      "Thumbnails are `maxPixelSize=N`, or by size `width=W,height=H,contentMode=.aspectFill`"),
    .init(
      .keys, from: Release(12, 7, 0), to: Release(13, 0, 6),
      "The screen's scale is that of the traits, read once: 0 where the first processor is made off the screen"
    ),
    .init(
      .keys, to: Release(12, 9, 0),
      "Target sizes are printed as Doubles."
        + " An image ID of the app's own is `userInfo[.imageIdKey]`"),
    .init(
      .keys, from: Release(13, 0, 0),
      "Target sizes pass through Float: 640.2 is `640.2000122070312`."
        + " An image ID is the property `imageID`; `userInfo` is ignored"),
    .init(
      .keys, from: Release(13, 1, 0),
      "The screen's scale is read for each processor, and never 0."
        + " macOS: colours of borders are converted to sRGB"),
    .init(.keys, to: Release(13, 1, 0), "A negative radius of a blur is printed as it is"),
    .init(
      .keys, from: Release(13, 2, 0),
      "A negative radius of a blur is 0."
        + " Components of border colours are between 0 and 1, and a colour without RGB is its description"),
    .init(.names, "The SHA-1 of the key, without an extension"),
    .init(.storage, to: Release(10, 11, 2), "Originals of requests by closure are not stored"),
    .init(
      .storage, from: Release(10, 4, 0), to: Release(12, 5, 0),
      "An original has the thumbnail in its key, and a thumbnail does not count as processed",
      at: "`TaskLoadImage.swift`:257-270 of 11.6.4"),
    .init(.storage, from: Release(11, 0, 0), "Originals of requests by closure are stored as others"),
    .init(.storage, to: Release(11, 5, 3), "Results of requests by closure are not stored"),
    .init(
      .storage, from: Release(11, 6, 0),
      "Results of requests by closure are stored as others."
        + " The encoder writes the EXIF orientation; before, it is lost"),
    .init(
      .storage, from: Release(11, 6, 0), to: Release(12, 9, 0),
      "`isCompressionEnabled` compresses files by lzfse"),
    .init(
      .storage, to: Release(12, 0, 0), "Of a processed GIF the first frame is stored, as JPEG or PNG",
      at: "`ImageEncoding.swift`:28-32 of 10.11.2, :24-28 of 11.6.4"),
    .init(
      .storage, from: Release(12, 1, 0),
      "Of a processed GIF its own bytes are stored, whatever the processors did",
      at: "`ImageEncoding.swift`:28 of 12.6.0 and 13.2.0"),
    .init(.storage, to: Release(12, 5, 0), "What came from the disk cache is stored again"),
    .init(
      .storage, from: Release(12, 6, 0),
      "An original has the key of its URL alone, and a thumbnail counts as processed",
      at: "`TaskLoadImage.swift`:180 of 12.6.0, :183 of 13.2.0"),
    .init(
      .storage, to: Release(12, 8, 0),
      "Results of `file:` and `data:` URLs are not stored, whatever their image ID",
      at: "`shouldStoreResponseInDataCache` and `shouldStoreDataInDiskCache`: `request.url?.isLocalResource`"),
    .init(.storage, from: Release(12, 9, 0), "Results of `file:` and `data:` URLs are stored as others"),
    .init(
      .storage, to: Release(13, 1, 0),
      "`FILE:` and `Data:` are schemes of the network."
        + " A GIF is what begins with the letters `GIF`", at: "`AssetType.swift`:73 of 10.11.2"),
    .init(
      .storage, from: Release(13, 2, 0),
      "Schemes are compared without regard to case."
        + " The cache's API does not store previews. A GIF is what begins with `GIF87a` or `GIF89a`",
      at: "`AssetType.swift`:122 of 13.2.0"),
    .init(.lookups, to: Release(12, 5, 0), "The whole chain, then the original"),
    .init(
      .lookups, from: Release(12, 6, 0),
      "The whole chain, then with fewer processors one after the other, then the original"),
    .init(
      .lookups, from: Release(10, 4, 0), to: Release(12, 9, 0),
      "A thumbnail never asks for the key of the URL alone"),
    .init(.lookups, from: Release(13, 0, 0), "A thumbnail asks for the original last"),
    .init(.dates, to: Release(12, 1, 3), "A sweep 10 s after the start, then every 30 s"),
    .init(
      .dates, from: Release(12, 1, 4), to: Release(12, 1, 4),
      "The date of the last sweep is in the user's defaults"),
    .init(.dates, from: Release(12, 1, 4), to: Release(12, 9, 0), "A sweep a launch, an hour apart at least"),
    .init(.dates, from: Release(12, 1, 5), "The date of the last sweep is in `.data-cache-info`"),
    .init(.dates, from: Release(12, 9, 0), "A read sets the access date"),
    .init(.dates, from: Release(13, 0, 0), "A sweep a launch, half an hour apart at least"),
    .init(
      .drawing, from: Release(10, 4, 0), to: Release(12, 7, 3),
      "`createThumbnailWithTransform: false` leaves a turned picture unturned"),
    .init(.drawing, from: Release(12, 1, 1), "A circle is cut at whole pixels"),
    .init(
      .drawing, from: Release(12, 8, 0), to: Release(13, 0, 0),
      "Thumbnails of turned pictures are turned twice"),
    .init(
      .drawing, from: Release(13, 0, 0), to: Release(13, 0, 2), "Very large pictures are decoded smaller"),
    .init(
      .drawing, to: Release(13, 1, 0),
      "A crop enlarges a small picture; a blurred one is PNG."
        + " A target size that is infinite crashes the app"),
    .init(
      .drawing, from: Release(13, 2, 0),
      "A crop enlarges with `upscale` alone; an opaque picture that is blurred is JPEG."
        + " A target size that is infinite fails the request"),
    .init(
      .drawing, to: Release(12, 6, 0), "Colour space: the picture's own; a grey picture becomes RGB",
      at: "`Graphics.swift`:156-186 of 10.11.2, :161-191 of 11.6.4"),
    .init(
      .drawing, from: Release(12, 7, 0), "Colour space: the picture's own; an opaque grey picture stays grey",
      at: "`Graphics.swift`:161-190 of 12.9.0, :173-201 of 13.2.0"),
    .init(.code, from: Release(10, 5, 0), "Processors can be written as `.resize(...)`"),
    .init(.code, from: Release(11, 0, 0), "`withDataCache(name:sizeLimit:)`"),
    .init(
      .code, from: Release(12, 7, 0), "The delegate's `imageTask(_:didReceiveEvent:pipeline:)`",
      at: "`ImagePipeline+Delegate.swift`:70 of 12.9.0, :105 of 13.2.0"),
  ]
}
