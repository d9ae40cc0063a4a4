import Settings
import Text

/// What a job may reach on the machine that reads it: jobs come from others, too.
package struct JobTrust: Sendable {
  /// The folders that the job, its lists, its local sources and its cache have to lie in; nil for anywhere.
  package var roots: TrustedRoots?
  /// The variables that it may name; none stands for all, but not where a pull request is built.
  package var variables: [String]

  package init(roots: TrustedRoots? = nil, variables: [String] = []) {
    self.roots = roots
    self.variables = variables
  }

  func variables(of environment: [String: String]) -> JobVariables {
    if !variables.isEmpty {
      return JobVariables(environment, allowed: Set(variables), because: "--env does not name it")
    }
    guard let mark = Self.pullRequestMark(in: environment) else { return JobVariables(environment) }
    return JobVariables(
      environment, allowed: [], because: "\(mark) tells that this is the build of a pull request")
  }

  /// Variables that CI systems set for pull requests, and beginnings of values that say so where not every value does.
  private static let marks: [(name: String, prefix: String)] = [
    ("GITHUB_EVENT_NAME", "pull_request"), ("CI_MERGE_REQUEST_IID", ""), ("BUILDKITE_PULL_REQUEST", ""),
    ("TRAVIS_PULL_REQUEST", ""), ("CHANGE_ID", ""), ("CIRCLE_PULL_REQUEST", ""), ("CIRCLE_PR_NUMBER", ""),
    ("BITBUCKET_PR_ID", ""), ("SYSTEM_PULLREQUEST_PULLREQUESTID", ""), ("DRONE_PULL_REQUEST", ""),
    ("CI_PIPELINE_EVENT", "pull_request"), ("APPVEYOR_PULL_REQUEST_NUMBER", ""), ("CIRRUS_PR", ""),
    ("BITRISE_PULL_REQUEST", ""), ("CODEBUILD_WEBHOOK_TRIGGER", "pr/"), ("SEMAPHORE_GIT_PR_NUMBER", ""),
  ]

  /// The variable that tells a build of a pull request; nil where none does.
  static func pullRequestMark(in environment: [String: String]) -> String? {
    marks.first { mark in
      guard let value = environment[mark.name], !value.isEmpty, value != "false" else { return false }
      return value.hasPrefix(mark.prefix)
    }?.name
  }
}
