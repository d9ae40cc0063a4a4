import Foundation

/// Makes an image of another or of bytes: Kingfisher's `ImageProcessor`.
///
/// Kingfisher's own processors are structs of this package; they name what is to be drawn, and the request's
/// ``ImageRendering`` draws it. An app's own processor draws itself.
public protocol ImageProcessor: Sendable {
  /// Part of the key of the result. Empty means that the processor does nothing.
  var identifier: String { get }

  /// The identifier that a version of Kingfisher gives the processor; ``identifier`` unless it is Kingfisher's own.
  func identifier(in version: KingfisherVersion) -> String

  /// The result, nil or an error if there is none.
  func process(
    item: ImageProcessItem, options: KingfisherParsedOptionsInfo
  ) async throws -> KFCrossPlatformImage?
}

extension ImageProcessor {
  /// The processor's own ``identifier``, in every version.
  public func identifier(in version: KingfisherVersion) -> String { identifier }

  /// This processor and then another, with both identifiers.
  public func append(another: any ImageProcessor) -> any ImageProcessor {
    AppendedProcessor(first: self, second: another)
  }
}

infix operator |> : AdditionPrecedence

/// The left processor and then the right one.
public func |> (left: any ImageProcessor, right: any ImageProcessor) -> any ImageProcessor {
  left.append(another: right)
}

/// What a processor works on: Kingfisher's `ImageProcessItem`.
public enum ImageProcessItem: Sendable {
  /// An image that an earlier processor made, or that a cache had.
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

/// Leaves an image as it is: Kingfisher's `DefaultImageProcessor`. Its identifier is empty.
///
/// Bytes become an image by the request's serializer, whose formats are thus those that are taken.
public struct DefaultImageProcessor: ImageProcessor, Hashable {
  /// The processor of requests that name none.
  public static let `default` = DefaultImageProcessor()

  /// It has no parameters.
  public init() {}

  /// Empty: the key of the result is the original's.
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

/// Two processors, one after the other. A chain of Kingfisher's own is drawn in one go, so that nothing is encoded
/// in between.
struct AppendedProcessor: ImageProcessor {
  var first: any ImageProcessor
  var second: any ImageProcessor

  var identifier: String { "\(first.identifier)|>\(second.identifier)" }

  func identifier(in version: KingfisherVersion) -> String {
    "\(first.identifier(in: version))|>\(second.identifier(in: version))"
  }

  func process(
    item: ImageProcessItem, options: KingfisherParsedOptionsInfo
  ) async throws -> KFCrossPlatformImage? {
    if let drawing { return try await options.draw(drawing, on: item, identifier: identifier) }
    guard let image = try await first.process(item: item, options: options) else { return nil }
    return try await second.process(item: .image(image), options: options)
  }

  /// What is drawn, nil where a member is an app's own.
  private var drawing: [BuiltInProcessor]? {
    var members: [BuiltInProcessor] = []
    for processor in [first, second] {
      switch processor {
      case is DefaultImageProcessor: break
      case let builtIn as any BuiltInImageProcessor: members.append(builtIn.builtIn)
      case let appended as AppendedProcessor:
        guard let drawing = appended.drawing else { return nil }
        members += drawing
      default: return nil
      }
    }
    return members
  }
}

/// A processor that Kingfisher itself has: its key and its drawing follow from ``builtIn``.
protocol BuiltInImageProcessor: ImageProcessor {
  var builtIn: BuiltInProcessor { get }
}

extension BuiltInImageProcessor {
  /// The newest version's.
  public var identifier: String { identifier(in: .latest) }

  public func identifier(in version: KingfisherVersion) -> String {
    KingfisherKeyFormat(version: version).identifier(of: [builtIn])
  }

  /// Has the request's renderer draw it.
  public func process(
    item: ImageProcessItem, options: KingfisherParsedOptionsInfo
  ) async throws -> KFCrossPlatformImage? {
    try await options.draw([builtIn], on: item, identifier: identifier)
  }
}

extension KingfisherParsedOptionsInfo {
  func draw(
    _ processors: [BuiltInProcessor], on item: ImageProcessItem, identifier: String
  ) async throws -> KFCrossPlatformImage? {
    guard let renderer else {
      throw KingfisherError.processorError(reason: .noRenderer(identifier: identifier))
    }
    return try await renderer.render(item.data, processors: processors, scaleFactor: scaleFactor)
  }
}
