/// A processor that Kingfisher itself has: its key and its drawing follow from ``builtIn``.
public protocol BuiltInImageProcessor: ImageProcessor {
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
  package func draw(
    _ processors: [BuiltInProcessor], on item: ImageProcessItem, identifier: String
  ) async throws -> KFCrossPlatformImage? {
    guard let renderer else {
      throw KingfisherError.processorError(reason: .noRenderer(identifier: identifier))
    }
    return try await renderer.render(item.data, processors: processors, scaleFactor: scaleFactor)
  }
}
