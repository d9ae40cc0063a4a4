import ContentDigests

/// What the command line says over a job's own settings, as typed, by the name of the setting.
package struct JobOverrides: Sendable, Hashable {
  private var texts: [String: [String]] = [:]
  /// The part of the job that is taken; nil for all of it.
  package var shard: Shard?

  package init() {}

  /// The only text of a setting, or the last.
  package subscript(name: String) -> String? {
    get { texts[name]?.last }
    set { texts[name] = newValue.map { [$0] } }
  }

  /// All texts of a setting that may be repeated.
  package subscript(all name: String) -> [String] {
    get { texts[name] ?? [] }
    set { texts[name] = newValue.isEmpty ? nil : newValue }
  }
}
