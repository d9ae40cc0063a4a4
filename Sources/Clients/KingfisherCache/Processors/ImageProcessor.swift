import Text

/// What an image goes through before it is cached: Kingfisher's `ImageProcessor`.
///
/// Kingfisher's own processors are functions with the names of its types; a manager's ``ImageLoading`` draws them. Another
/// one has a key, so that its images are found, but is not drawn.
public protocol ImageProcessor: Sendable {
  /// Part of the key of the result. Empty means that the processor does nothing.
  var identifier: String { get }

  /// The identifier that a version of Kingfisher gives the processor; ``identifier`` unless it is Kingfisher's own.
  func identifier(in version: KingfisherVersion) -> String
}

extension ImageProcessor {
  /// The processor's own ``identifier``, in every version.
  public func identifier(in version: KingfisherVersion) -> String { identifier }

  /// This processor and then another, with both identifiers.
  public func append(another: any ImageProcessor) -> any ImageProcessor {
    AppendedProcessor(first: self, second: another)
  }

  /// What is drawn for it.
  var drawing: [BuiltInProcessor] {
    switch self {
    case let own as BuiltInProcessor: own == DefaultImageProcessor.default ? [] : [own]
    case let appended as AppendedProcessor: appended.first.drawing + appended.second.drawing
    default: [BuiltInProcessor(.custom(identifier))]
    }
  }
}

infix operator |> : AdditionPrecedence

/// The left processor and then the right one.
public func |> (left: any ImageProcessor, right: any ImageProcessor) -> any ImageProcessor {
  left.append(another: right)
}

/// Leaves an image as it is: Kingfisher's `DefaultImageProcessor`. Its identifier is empty, so the key of the result is the
/// original's.
public enum DefaultImageProcessor {
  /// The processor of requests that name none.
  public static let `default` = BuiltInProcessor(ProcessorCall(ProcessorKey.plain.name))
}

/// Two processors, one after the other.
struct AppendedProcessor: ImageProcessor {
  var first: any ImageProcessor
  var second: any ImageProcessor

  var identifier: String { identifier(in: .latest) }

  func identifier(in version: KingfisherVersion) -> String {
    "\(first.identifier(in: version))|>\(second.identifier(in: version))"
  }
}
