/// Two processors, one after the other. A chain of Kingfisher's own is drawn in one go, so that nothing is encoded
/// in between.
struct AppendedProcessor: ImageProcessor {
  package var first: any ImageProcessor
  package var second: any ImageProcessor

  package var identifier: String { "\(first.identifier)|>\(second.identifier)" }

  package func identifier(in version: KingfisherVersion) -> String {
    "\(first.identifier(in: version))|>\(second.identifier(in: version))"
  }

  package func process(
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
