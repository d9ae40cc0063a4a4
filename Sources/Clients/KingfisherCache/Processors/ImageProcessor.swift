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
