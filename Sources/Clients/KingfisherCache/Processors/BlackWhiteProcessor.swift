/// Makes an image black and white. Kingfisher's `BlackWhiteProcessor`.
public struct BlackWhiteProcessor: BuiltInImageProcessor, Hashable {
  public init() {}

  public var builtIn: BuiltInProcessor {
    .blackWhite
  }
}
