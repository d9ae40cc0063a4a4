import Foundation

/// Why a picture could not be made: a bounded code for machines, words and advice for people.
public struct RenderFailure: LocalizedError, Codable, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure.
  public var code: Code
  /// A phrase for people.
  public var message: String
  /// What to do about it, where that is not the same for all failures of the code.
  public var advice: String?

  /// Kinds of failures; the raw value is the same in the command's records.
  public enum Code: String, Codable, Hashable, Sendable, CaseIterable {
    /// Bytes that are not an image of a format on our table, or of one that is not allowed.
    case format = "image.format"
    /// The picture's bytes end before it does.
    case truncated = "image.truncated"
    /// The picture breaks the rules of its format.
    case damaged = "image.damaged"
    /// Beyond ``RenderLimits``.
    case limit = "image.limit"
    /// The worker ran out of memory.
    case memory = "image.memory"
    /// The steps lead to no picture (a side below one pixel, no embedded thumbnail).
    case size = "render.size"
    /// The result could not be encoded.
    case encode = "render.encode"
    /// Slower than ``RenderLimits/seconds``.
    case timeout = "render.timeout"
    /// The decoder crashed on the picture.
    case crash = "render.crash"
    /// The system has no more processes or threads for a worker; nothing is known against the picture.
    case processes = "render.processes"
    /// The worker could not be started or did not speak the wire form.
    case worker = "render.worker"
    /// The task was cancelled or the pool shut down; nothing is known against the picture.
    case cancelled = "render.cancelled"
  }

  /// A failure, for decoders of an app's own and for tests.
  public init(_ code: Code, _ message: String, advice: String? = nil) {
    self.code = code
    self.message = message
    self.advice = advice
  }

  /// The text of `localizedDescription`.
  public var errorDescription: String? { description }

  /// The message and the code.
  public var description: String { "\(message) (\(code.rawValue))" }
}
