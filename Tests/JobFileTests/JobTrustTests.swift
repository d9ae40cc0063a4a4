import Foundation
import JobSupport
import Syntax
import TestSupport
import Testing
import Text

@testable import JobFile

/// Jobs from others: what they may read, and what messages tell of it.
@Suite(.timeLimit(.minutes(10)))
struct JobTrustTests {
  private let folder: TemporaryFolder
  private static let environment = ["TOKEN": "t0ken", "OTHER": "0ther"]

  init() throws {
    folder = try TemporaryFolder()
    for name in ["job", "out"] {
      try folder.makeFolder(name)
    }
  }

  private func job(_ lines: String, trust: JobTrust = JobTrust()) throws -> JobFileReading {
    try folder.write(JobFileReading.head + lines, to: "job/a.job")
    return JobFileReading(.file(folder.path + "/job/a.job"), environment: Self.environment, trust: trust)
  }

  private func trusted(_ names: String...) throws -> JobTrust {
    JobTrust(roots: try TrustedRoots(names.map { folder.path + "/" + $0 }))
  }

  /// Lines of files that are no lists: accounts, environments, credentials, keys.
  static let secrets = [
    "root:s3cr3t:0:0:root:/root:/bin/bash", "API_TOKEN=s3cr3t", "export API_TOKEN=s3cr3t", "s3cr3t",
    "machine e.com login bob password s3cr3t", "default login bob password s3cr3t", "client s3cr3t",
    "header e.com A: s3cr3t", "include s3cr3t", "s3cr3t\u{1}", "DATABASE=postgres://bob:s3cr3t@e.com/x",
    "-----BEGIN s3cr3t-----", "aws_secret_access_key = s3cr3t", "s3cr3t.example.com/1.jpg",
    "scale s3cr3t",
  ]
  /// What looks like a source is shown, but of the job's own lists only.
  static let sources = [
    "/s3cr3t s3cr3t", "postgres://bob@e.com/s3cr3t", "//s3cr3t", "https://e.com/ü/s3cr3t card",
    "https://e.com/ü/s3cr3t", "https://e.com/1.jpg s3cr3t", "./s3cr3t\u{1}", "mailto:s3cr3t",
    "\"s3cr3t", "https:///s3cr3t", "file://e.com/s3cr3t", "Authorization:s3cr3t",
  ]

  private func shown(_ job: JobFileReading) -> String {
    job.diagnostics.rendered() + job.diagnostics.map { "\($0)" }.joined()
  }

  @Test(arguments: secrets) func aLineThatIsNoSourceIsNotShown(line: String) throws {
    for list in ["job/list", "out/list"] {
      try folder.write("https://e.com/1.jpg\n\(line)\n", to: list)
      let job = try job("include ../\(list) card")
      #expect(job.errors.map(\.line) == [2] && job.errors[0].file.hasSuffix(list), "\(shown(job))")
      #expect(!shown(job).contains("s3cr3t"), "\(shown(job))")
    }
  }

  @Test(arguments: sources) func aListElsewhereIsNotShownAtAll(line: String) throws {
    try folder.write("\(line)\n", to: "out/list")
    let job = try job("include ../out/list card")
    #expect(!job.diagnostics.isEmpty && !shown(job).contains("s3cr3t"), "\(shown(job))")
  }

  @Test func aLinkInTheJobsFolderIsElsewhere() throws {
    try folder.write("/1.jpg s3cr3t\n", to: "out/list")
    try folder.link("job/list", to: folder.file("out/list").path)
    #expect(try !shown(job("include list card")).contains("s3cr3t"))
  }

  @Test func aSlipInAListOfTheJobIsShown() throws {
    try folder.write("/1.jpg card\n", to: "job/list")
    #expect(try job("include list card").errors.map(\.sourceLine) == ["/1.jpg card"])
    try folder.write("/1.jpg card\n", to: "out/list")
    let job = try job("include ../out/list card", trust: trusted("job", "out"))
    #expect(job.errors.contains { $0.sourceLine == "/1.jpg card" })
  }

  @Test func listsFilesAndCacheHaveToLieInTheTrustedFolders() throws {
    try folder.write("./1.jpg\n", to: "out/list")
    try folder.write("./1.jpg\n../out/2.jpg\n", to: "job/list")
    let inside = folder.path + "/job/3.jpg"
    let outside = folder.path + "/out/4.jpg"
    let job = try job(
      "include ../out/list card\ninclude list card\n\(inside) card\n\(outside) card\nfile://\(outside)?x card\n"
        + "https://e.com/1.jpg card", trust: trusted("job"))
    #expect(
      job.errors.map { [$0.line, $0.column] } == [[4, 9], [7, 1], [8, 1], [2, 1]], "\(shown(job))")
    #expect(job.errors.allSatisfy { $0.message.hasSuffix("outside of the trusted folders") })
    #expect(
      job.entries.map(\.url) == [
        "file://\(folder.path)/job/1.jpg", "file://\(inside)", "https://e.com/1.jpg",
      ])
    #expect(job.settings?.given.trust.roots != nil)
  }

  @Test func aJobAndItsCacheHaveToLieThereToo() throws {
    let elsewhere = try job("/1.jpg card", trust: trusted("out"))
    #expect(elsewhere.errors.map(\.message).joined().contains("outside of the trusted folders"))
    try folder.write("client nuke 12\ncache ../out/cache\nhttps://e.com/1.jpg", to: "job/b.job")
    let path = JobInput.file(folder.path + "/job/b.job")
    let reading = JobFileReading(path, trust: try trusted("job"))
    #expect(reading.errors.map { [$0.line, $0.column] } == [[2, 1]], "\(shown(reading))")
    let overrides = GivenSettings(["cache": [folder.path + "/out/cache"]])
    #expect(JobFileReading(path, overrides: overrides, trust: try trusted("job")).errors == [])
  }

  @Test func aJobMayUseTheVariablesThatAreNamed() throws {
    let lines = "header e.com A: ${TOKEN}\nheader e.com B: ${OTHER}\n/1.jpg card"
    #expect(try job(lines).errors == [])
    let job = try job(lines, trust: JobTrust(variables: ["TOKEN"]))
    #expect(job.errors.map { [$0.line, $0.column] } == [[5, 17]])
    #expect(job.errors[0].message.hasPrefix("this job may not use the environment variable OTHER: --env"))
    #expect(job.errors[0].help?.hasPrefix("--env OTHER ") == true)
    #expect(!shown(job).contains("0ther"))
    let both = try self.job(lines, trust: JobTrust(variables: ["TOKEN", "OTHER"]))
    #expect(both.errors == [])
  }

  @Test func signingUsesVariablesToo() throws {
    let keys = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"]
    let environment = Dictionary(uniqueKeysWithValues: keys.map { ($0, "x") })
    let text = JobFileReading.head + "aws-sigv4 evil.example.com aws:amz:eu-west-1:s3\n/1.jpg card"
    for count in 1...3 {
      let trust = JobTrust(variables: Array(keys.prefix(count)))
      #expect(
        JobFileReading(text, environment: environment, trust: trust).errors.count == (count == 3 ? 0 : 1))
    }
  }

  @Test(arguments: [
    ("GITHUB_EVENT_NAME", "pull_request", true), ("GITHUB_EVENT_NAME", "pull_request_target", true),
    ("GITHUB_EVENT_NAME", "push", false), ("CI_MERGE_REQUEST_IID", "7", true),
    ("BUILDKITE_PULL_REQUEST", "7", true), ("BUILDKITE_PULL_REQUEST", "false", false),
    ("TRAVIS_PULL_REQUEST", "7", true), ("TRAVIS_PULL_REQUEST", "false", false), ("CHANGE_ID", "7", true),
    ("CIRCLE_PULL_REQUEST", "https://github.com/o/r/pull/7", true), ("BITBUCKET_PR_ID", "7", true),
    ("BITBUCKET_PR_ID", "", false), ("SYSTEM_PULLREQUEST_PULLREQUESTID", "7", true), ("CIRRUS_PR", "7", true),
    ("CODEBUILD_WEBHOOK_TRIGGER", "branch/main", false), ("CODEBUILD_WEBHOOK_TRIGGER", "pr/7", true),
  ])
  func aPullRequestMayUseNoneUnasked(name: String, value: String, isOne: Bool) throws {
    let text = JobFileReading.head + "header e.com A: ${TOKEN}\n/1.jpg card"
    var environment = Self.environment
    environment[name] = value
    let job = JobFileReading(text, environment: environment)
    #expect(job.errors.count == (isOne ? 1 : 0), "\(shown(job))")
    if isOne { #expect(job.errors[0].line == 4 && job.errors[0].message.contains(name)) }
    #expect(
      JobFileReading(text, environment: environment, trust: JobTrust(variables: ["TOKEN"])).errors == [])
  }
}
