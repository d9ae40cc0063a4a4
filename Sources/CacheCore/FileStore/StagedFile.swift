/// A whole file under a temporary name, waiting to be published or discarded.
public struct StagedFile: Hashable, Sendable {
  /// The name that it is to get.
  public let name: String
  let temporaryPath: String
}
