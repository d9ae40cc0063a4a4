/// Which failed renditions make a run fail (`--fail-on`).
package enum FailOn: String, Sendable, Hashable, CaseIterable {
  case none, any, all

  /// The exit code of a run that went through its whole plan.
  ///
  /// - Parameters:
  ///   - total: renditions of the plan that are to be stored.
  ///   - failed: those of them that failed.
  ///   - retryable: those failed ones that may succeed when tried again.
  package func exitCode(total: Int, failed: Int, retryable: Int) -> ExitCode {
    let fails =
      switch self {
      case .none: false
      case .any: failed > 0
      case .all: failed > 0 && failed >= total
      }
    guard fails else { return .success }
    // What a caller can do about it comes first: trying again helps, whatever the number.
    if retryable >= failed { return .retryable }
    return failed >= total ? .noneSucceeded : .someFailed
  }
}
