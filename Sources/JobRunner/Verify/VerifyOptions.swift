import Foundation
import Rendering

/// How thoroughly a cache is checked.
public struct VerifyOptions: Sendable, Hashable {
  /// Needed where the cache has no ledger beside it.
  public var client: CacheClient?
  /// Path of the `preheat-render` executable; nil to decode nothing.
  public var renderer: String?
  /// Worker processes that decode.
  public var workers = ProcessInfo.processInfo.activeProcessorCount
  public var limits = RenderLimits()
  /// Formats that are decoded; of the others only the structure is checked.
  public var formats = ImageFormat.trusted
  /// What expiry dates are compared with.
  public var now = Date()

  public init() {}
}
