import ClientKit
import Foundation
import Pictures
import Planning

/// How thoroughly a cache is checked.
package struct VerifyOptions: Sendable, Hashable {
  /// Needed where the cache has no ledger beside it.
  package var client: CacheClient?
  /// Path of the `preheat-render` executable; nil to decode nothing.
  package var renderer: String?
  /// Worker processes that decode.
  package var workers = ProcessInfo.processInfo.activeProcessorCount
  package var limits = RenderLimits()
  /// Formats that are decoded; of the others only the structure is checked.
  package var formats = ImageFormat.trusted
  /// What expiry dates are compared with.
  package var now = Date()

  package init() {}
}
