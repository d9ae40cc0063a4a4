/// What a recording of a picture's rendering says about it. Nothing of it reaches a worker.
public struct RenderLabels: Hashable, Sendable {
  /// The source's URL.
  public var url: String?
  /// The chains of the request's outputs, in their order.
  public var chains: [String]

  public init(url: String? = nil, chains: [String] = []) {
    self.url = url
    self.chains = chains
  }
}
