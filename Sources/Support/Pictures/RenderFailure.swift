/// Why a picture could not be made: a bounded code for machines, words and advice for people.
public struct RenderFailure: Error, Codable, Hashable, Sendable, CustomStringConvertible {
  public var code: Code
  public var message: String
  /// What to do about it, where that is not the same for all failures of the code.
  public var advice: String?

  public enum Code: String, Codable, Hashable, Sendable, CaseIterable {
    /// Bytes that are not an image of a format on our table, or of one that is not allowed.
    case format = "image.format"
    case truncated = "image.truncated"
    case damaged = "image.damaged"
    /// Beyond ``RenderLimits``.
    case limit = "image.limit"
    case memory = "image.memory"
    /// The steps lead to no picture (a side below one pixel, no embedded thumbnail).
    case size = "render.size"
    case encode = "render.encode"
    case timeout = "render.timeout"
    case crash = "render.crash"
    /// The worker could not be started or did not speak the wire form.
    case worker = "render.worker"
    /// The task was cancelled or the pool shut down; nothing is known against the picture.
    case cancelled = "render.cancelled"
  }

  public init(_ code: Code, _ message: String, advice: String? = nil) {
    self.code = code
    self.message = message
    self.advice = advice
  }

  public var description: String { "\(message) (\(code.rawValue))" }
}
