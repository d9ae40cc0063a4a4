import Foundation
import Text

extension ImageRequest {
  /// Which caches a request reads and writes, and which steps it skips. None of them touches an HTTP cache.
  public struct Options: OptionSet, Hashable, Sendable {
    /// A bit for each option.
    public let rawValue: UInt16

    /// The options of these bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Do not look the image up in memory.
    public static let disableMemoryCacheReads = Options(rawValue: 1 << 0)
    /// Do not store the image in memory.
    public static let disableMemoryCacheWrites = Options(rawValue: 1 << 1)
    /// Leave memory alone.
    public static let disableMemoryCache: Options = [.disableMemoryCacheReads, .disableMemoryCacheWrites]

    /// Do not look data up on disk.
    public static let disableDiskCacheReads = Options(rawValue: 1 << 2)
    /// Do not store original data on disk. As in Nuke, encoded images are stored all the same.
    public static let disableDiskCacheWrites = Options(rawValue: 1 << 3)
    /// Neither read nor write the disk, as far as the two options go.
    public static let disableDiskCache: Options = [.disableDiskCacheReads, .disableDiskCacheWrites]

    /// Load from the source; what is cached is not read but replaced.
    public static let reloadIgnoringCachedData = Options(rawValue: 1 << 4)
    /// Read the caches and fail rather than load from the source.
    public static let returnCacheDataDontLoad = Options(rawValue: 1 << 5)

    package var readsMemoryCache: Bool {
      isDisjoint(with: [.disableMemoryCacheReads, .reloadIgnoringCachedData])
    }
    package var writesMemoryCache: Bool { !contains(.disableMemoryCacheWrites) }
    package var readsDiskCache: Bool {
      isDisjoint(with: [.disableDiskCacheReads, .reloadIgnoringCachedData])
    }
    package var writesDiskCache: Bool { !contains(.disableDiskCacheWrites) }
  }

  /// Which of the waiting requests goes first.
  public enum Priority: Int, Comparable, CaseIterable, Sendable {
    /// After all others.
    case veryLow
    /// The default of a prefetcher.
    case low
    /// The default of a request.
    case normal
    /// Before usual requests.
    case high
    /// Before all others.
    case veryHigh

    public static func < (a: Priority, b: Priority) -> Bool { a.rawValue < b.rawValue }
  }

  /// As Nuke calls it.
  public typealias ThumbnailOptions = NukeCache.ThumbnailOptions
}

/// `ImageRequest.ThumbnailOptions`: a thumbnail made by the system's image decoder instead of by a
/// processor. It comes before the processors, in the key and in the drawing.
public struct ThumbnailOptions: Hashable, Sendable {
  /// How large the thumbnail becomes.
  public var size: Size
  /// `kCGImageSourceCreateThumbnailFromImageIfAbsent`; part of the key.
  public var createThumbnailFromImageIfAbsent = true
  /// `kCGImageSourceCreateThumbnailFromImageAlways`: false takes a thumbnail that the file brings. Part of the key.
  public var createThumbnailFromImageAlways = true
  /// `kCGImageSourceCreateThumbnailWithTransform`: the thumbnail is upright. Part of the key.
  public var createThumbnailWithTransform = true
  /// `kCGImageSourceShouldCacheImmediately`; part of the key, and without effect here.
  public var shouldCacheImmediately = true

  /// Either the longer side, or a size that is filled or fitted.
  public enum Size: Hashable, Sendable {
    /// Pixels of the longer side; no screen scale enters.
    case maxPixelSize(Double)
    /// Nuke 12.0.0 and later.
    case flexible(
      width: Double, height: Double, unit: ImageProcessor.Unit, contentMode: ImageProcessor.ContentMode)
  }

  /// A thumbnail whose longer side has this many pixels.
  public init(maxPixelSize: Double) {
    size = .maxPixelSize(maxPixelSize)
  }
}

extension ThumbnailOptions {
  /// A thumbnail that fills or fits a size (12.0.0 and later).
  public init(
    size: CGSize, unit: ImageProcessor.Unit = .points, contentMode: ImageProcessor.ContentMode = .aspectFill
  ) {
    self.size = .flexible(
      width: Double(size.width), height: Double(size.height), unit: unit, contentMode: contentMode)
  }

  /// The thumbnail as its row has it.
  package var call: ProcessorCall {
    var values: ProcessorValues = [:]
    switch size {
    case .maxPixelSize(let side): values["maxPixelSize"] = .number(side)
    case .flexible(let width, let height, let unit, let mode):
      values["size"] = .numbers([width, height])
      values["unit"] = .word(unit.rawValue)
      values["contentMode"] = .word(mode.rawValue)
    }
    let flags = [
      createThumbnailFromImageIfAbsent, createThumbnailFromImageAlways, createThumbnailWithTransform,
      shouldCacheImmediately,
    ]
    for (name, flag) in zip(ProcessorKey.switches, flags) { values[name] = .flag(flag) }
    return ProcessorCall("thumbnail", values)
  }
}
