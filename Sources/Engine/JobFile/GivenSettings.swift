import Bodies
import Syntax
import Text

/// What a command line and its environment say of settings, and what a job may reach on this machine.
package struct GivenSettings: Sendable {
  /// Texts of flags as typed, by the name of the setting.
  package var flags: [String: [String]]
  /// `PREHEAT_*` variables, and those that `header` lines name.
  package var environment: [String: String]
  /// What a job may say.
  package var table: SettingTable
  package var trust: JobTrust
  /// Whether the values of variables that lines name are needed: only where requests are made.
  package var readsVariables = true
  /// The part of the job that is taken; nil for all of it.
  package var shard: Shard?
  /// Whether lines are planned while others still come: then a wrong one is always left out.
  package var isStream = false
  /// The number of findings of a kind that are kept; all are counted.
  package var errorsKept = Diagnostics.limit

  package init(
    _ flags: [String: [String]] = [:], environment: [String: String] = [:], table: SettingTable = .jobs,
    trust: JobTrust = JobTrust()
  ) {
    self.flags = flags
    self.environment = environment
    self.table = table
    self.trust = trust
  }

  /// The text of a flag; of several the last.
  package subscript(name: String) -> String? {
    get { flags[name]?.last }
    set { flags[name] = newValue.map { [$0] } }
  }

  /// The texts that a flag gives a setting, or else its variable, each to be read by itself.
  func texts(_ row: Setting) -> [TextLine] {
    let typed = (flags[row.name] ?? []).map { TextLine(flag: "--\(row.flag)", text: $0) }
    // Hosts that may be reached add up; everything else that is typed stands in place of the variable.
    guard typed.isEmpty || row.repetition == .words, let value = environment[row.variable], !value.isEmpty
    else { return typed }
    let parts = row.repetition == .words ? [value] : row.parts(ofVariable: value)
    return typed + parts.map { TextLine(flag: row.variable, text: $0) }
  }

  /// The variables that the job's own text may name.
  var jobVariables: JobVariables {
    readsVariables ? trust.variables(of: environment) : JobVariables(isRead: false)
  }

  /// The variables that flags may name.
  var ownVariables: JobVariables { readsVariables ? JobVariables(environment) : JobVariables(isRead: false) }

  func texts(_ row: JobRows.Structure) -> [TextLine] {
    table.row(named: row.rawValue).map(texts) ?? []
  }
}

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
