import Signposts

/// A stretch of a worker's time, on the clock that all processes share (``SignpostClock``).
public struct RenderInterval: Codable, Hashable, Sendable {
  public var name: SignpostName
  /// Nanoseconds.
  public var begin: Int64
  public var end: Int64
  /// For which of the request's outputs; nil where it was for several.
  public var output: Int?
  /// Which of the output's steps.
  public var step: Int?

  public init(name: SignpostName, begin: Int64, end: Int64, output: Int? = nil, step: Int? = nil) {
    self.name = name
    self.begin = begin
    self.end = end
    self.output = output
    self.step = step
  }
}
