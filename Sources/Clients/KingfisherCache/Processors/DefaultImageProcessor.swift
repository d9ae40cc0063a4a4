/// Leaves an image as it is: Kingfisher's `DefaultImageProcessor`. Its identifier is empty.
///
/// Bytes become an image by the request's serializer, whose formats are thus those that are taken.
public struct DefaultImageProcessor: ImageProcessor, Hashable {
  public static let `default` = DefaultImageProcessor()

  public init() {}

  public var identifier: String { "" }

  public func process(
    item: ImageProcessItem, options: KingfisherParsedOptionsInfo
  ) async throws -> KFCrossPlatformImage? {
    switch item {
    case .image(let image): image
    case .data(let data): await options.cacheSerializer.image(with: data, options: options)
    }
  }
}
