/// One thing that ``Doctor`` looked at.
package struct Finding: Sendable, Hashable {
  package enum Status: String, Sendable, Hashable {
    case ok
    /// It works, but not as well as it could.
    case warning
    /// A run would fail.
    case error
  }

  /// One of a fixed set, for programs: `worker`, `disk-space`, ...
  package var name: String
  package var status: Status
  package var text: String
  /// What a person can do about it.
  package var advice: String?

  package init(_ name: String, _ text: String, _ status: Status = .ok, advice: String? = nil) {
    self.name = name
    self.status = status
    self.text = text
    self.advice = advice
  }
}
