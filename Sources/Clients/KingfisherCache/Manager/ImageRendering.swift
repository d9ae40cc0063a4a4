#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Draws Kingfisher's own processors for a manager.
public protocol ImageRendering: Sendable {
  /// Decodes an image, applies the processors in their order, and encodes the result.
  ///
  /// - Parameters:
  ///   - processors: at least one.
  ///   - scaleFactor: pixels a point.
  /// - Returns: nil if the bytes are no image.
  func render(
    _ data: Data, processors: [BuiltInProcessor], scaleFactor: Double
  ) async throws -> KFCrossPlatformImage?
}
