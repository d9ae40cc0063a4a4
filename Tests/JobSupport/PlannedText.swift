import JobFile
import Pictures
import Planning

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

  /// What the rendition of a job line stores: `own` is the request's key, `url` the URL's.
  ///
  /// - Returns: `own original, url original; found exact`.
  package static func stored(
    _ client: String, _ line: String, of kind: AnimatedKind? = nil, settings: String = ""
  ) -> String {
    let url = "https://e.com/1.gif"
    let planned = plan("client \(client)\ncache out\n\(settings)\n\(url) \(line)")
    guard let plan = planned.plan, let row = plan.rows.first else { return "\(planned.errors)" }
    let rendition = plan.rendition(at: row, as: kind)
    let stores = rendition.stores.map { store in
      let key = store.key == rendition.key ? "own" : store.key == url ? "url" : store.key
      return "\(key) \(store.content.rawValue)"
    }
    return (stores.isEmpty ? "nothing" : stores.joined(separator: ", "))
      + "; found \(rendition.found.rawValue)"
  }
}
