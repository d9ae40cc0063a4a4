import Text

/// What a CI system says about the build that a run is part of.
package struct BuildPlace: Sendable, Hashable {
  package var commit: String?
  /// The page of the build.
  package var address: String?

  /// GitHub Actions, GitLab and others with its variables, Buildkite.
  package init(_ environment: [String: String]) {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    commit = (value("GITHUB_SHA") ?? value("CI_COMMIT_SHA") ?? value("BUILDKITE_COMMIT")).flatMap {
      // Buildkite says HEAD where it does not know yet.
      $0.utf8.count >= 7 && $0.utf8.count <= 64 && $0.lowercased().allSatisfy(\.isHexDigit)
        ? $0.lowercased() : nil
    }
    address =
      (Self.gitHub(value) ?? value("CI_JOB_URL") ?? value("CI_PIPELINE_URL") ?? value("BUILDKITE_BUILD_URL"))
      .map(URLRedaction.redacted)
  }

  private static func gitHub(_ value: (String) -> String?) -> String? {
    guard let server = value("GITHUB_SERVER_URL"), let repository = value("GITHUB_REPOSITORY"),
      let run = value("GITHUB_RUN_ID")
    else { return nil }
    return "\(server)/\(repository)/actions/runs/\(run)"
  }
}
