#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a processor works on: Kingfisher's `ImageProcessItem`.
public enum ImageProcessItem: Sendable {
  case image(KFCrossPlatformImage)
  /// Bytes as they were downloaded.
  case data(Data)

  /// The encoded bytes of either.
  public var data: Data {
    switch self {
    case .image(let image): image.data
    case .data(let data): data
    }
  }
}
