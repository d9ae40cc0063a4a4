/// What a run is told about reports.
package struct ReportingArguments: Sendable, Hashable {
  /// Folder of the HTML page.
  package var report: String?
  package var junit: String?
  package var metrics: String?
  /// Nil where the environment decides.
  package var annotations: Bool?

  init(_ values: OptionValues) {
    report = values.text("report")
    junit = values.text("junit")
    metrics = values.text("metrics")
    annotations = values.origin(of: "annotations").map { _ in values.flag("annotations") }
  }

  /// Whether errors are marked on the job's lines.
  func hasAnnotations(_ environment: [String: String]) -> Bool {
    annotations ?? (environment["GITHUB_ACTIONS"] == "true")
  }
}
