import JobFile
import Planning
import Syntax

/// Shorthand for tests that go from a job's text to its plan.
package enum Preheat {
  package struct Planned {
    package var plan: Plan?
    package var errors: [String]
    package var warnings: [String]
  }

  package static func plan(
    _ text: String, overrides: GivenSettings = GivenSettings(), environment: [String: String] = [:]
  ) -> Planned {
    var given = overrides
    given.environment = environment
    let result = Plan.make(.text(name: "test.job", bytes: Array(text.utf8)), given)
    return Planned(
      plan: result.plan,
      errors: result.diagnostics.sorted.filter { $0.severity == .error }.map(\.message),
      warnings: result.diagnostics.sorted.filter { $0.severity == .warning }.map(\.message))
  }
}
