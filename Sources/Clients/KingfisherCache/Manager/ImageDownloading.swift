#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Downloads for a manager.
public protocol ImageDownloading: Sendable {
  /// The whole body, or an error. Cancelling the task ends the download.
  func download(_ url: URL) async throws -> Data
}
