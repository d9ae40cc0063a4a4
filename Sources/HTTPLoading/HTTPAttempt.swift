/// One try that failed and was followed by another.
public struct HTTPAttempt: Sendable, Hashable {
  /// Why it failed.
  public var code: HTTPFailure.Code
  /// HTTP status where an answer came.
  public var status: Int?
  /// How long the exchange took, in seconds.
  public var seconds: Double
  /// How long the request was then held back, in seconds. The wait for a free place comes on top of it.
  public var wait: Double

  public init(code: HTTPFailure.Code, status: Int? = nil, seconds: Double, wait: Double) {
    self.code = code
    self.status = status
    self.seconds = seconds
    self.wait = wait
  }
}

extension HTTPAttempt: CustomStringConvertible {
  /// The status, or the code without its room: `503`, `connect`.
  public var description: String {
    status.flatMap { code == .status ? "\($0)" : nil } ?? String(code.rawValue.drop { $0 != "." }.dropFirst())
  }
}
