/// One thing that ``Doctor`` looked at.
public struct Finding: Sendable, Hashable {
  public enum Status: String, Sendable, Hashable {
    case ok
    /// It works, but not as well as it could.
    case warning
    /// A run would fail.
    case error
  }

  /// One of a fixed set, for programs: `worker`, `disk-space`, ...
  public var name: String
  public var status: Status
  public var text: String
  /// What a person can do about it.
  public var advice: String?

  init(_ name: String, _ text: String, _ status: Status = .ok, advice: String? = nil) {
    self.name = name
    self.status = status
    self.text = text
    self.advice = advice
  }
}
