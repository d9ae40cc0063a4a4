import Foundation
import TestSupport
import Testing

/// The steps of `jobs/preheat-release.github.yml` as they stand, for two releases of an app.
@Suite(.timeLimit(.minutes(10)))
struct ReleaseWorkflowTests {
  /// What GitHub's runners have: `gh` with one release of the app, and Swift with this package's checkout.
  private static let tools = """
    mkdir -p tools published
    cat > tools/gh <<'GH'
    #!/usr/bin/env bash
    set -eu
    case "$1 $2" in
      "release download") test -e published/catalog.zip && mkdir -p before && cp published/catalog.zip before/ ;;
      "release upload") cp "$4" published/ ;;
      "pr comment") cp comment.md commented.md ;;
    esac
    GH
    printf '#!/bin/sh\\nshift\\nexec "$@"\\n' > tools/swift
    chmod +x tools/*
    """

  /// The stage is the app's repository.
  private static let repository = """
    mkdir app
    cp -R jobs app/jobs
    cp catalog.pub.pem app/jobs/
    mv tools published app/
    cd app
    preheat plan --json jobs/catalog.job | grep '"rendition"' | grep '"file"' |
      sed -E 's/.*"source":"([^"]*)".*"key":"([^"]*)","file".*/{"v":1,"type":"request","key":"\\2","url":"\\1","found":"none"}/' \\
      > jobs/requests.ndjson
    git init -q . && git add jobs
    git -c user.name=a -c user.email=a@example.com commit -qm base
    """

  private static func steps(_ job: String, run: Int) -> String {
    let checkout = Fixtures.checkout.path
    return """
      cd "$HOME_OF_STAGE/app"
      export PATH="$PWD/tools:$PATH" GITHUB_STEP_SUMMARY=/dev/null GITHUB_REF_NAME=v\(run)
      python3 '\(checkout)/Tests/Servers/workflow_steps.py' '\(checkout)/jobs/preheat-release.github.yml' \(job) \
        '\(checkout)' github.run_number=\(run) github.token=t github.repository=a/b github.event.pull_request.number=3 \
        secrets.CATALOG_TOKEN=secret secrets.CATALOG_KEY="$(cat ../catalog.key.pem)" \
        github.event.pull_request.base.sha="$(git rev-parse HEAD)" > ../\(job).sh
      bash ../\(job).sh
      """
  }

  @Test func twoReleasesGoFromThePlanToTheUpload() async throws {
    try await OwnThread {
      guard Tracing.succeeds(["python3", "-c", "import yaml"]) else { return }
      let server = try PageServer()
      let stage = try PageStage(port: server.port)
      func run(_ script: String) throws -> String {
        let result = try stage.run("HOME_OF_STAGE=$PWD\n\(script)")
        #expect(result.status == 0, "\(script)\n\(result.output)")
        return result.output
      }
      _ = try run("\(Self.tools)\n\(Self.repository)")
      for job in ["bundle", "install", "upload"] { _ = try run(Self.steps(job, run: 1)) }
      #expect(try run("ls app/published") == "catalog.zip\n")

      // The pull request of the second release has one source more.
      _ = try run("echo 'https://img.example.com/p/8.jpg card' >> app/jobs/catalog.job")
      _ = try run(Self.steps("plan", run: 2))
      let comment = try run("cat app/commented.md")
      #expect(comment.contains("2 new, 0 gone"), "\(comment)")
      #expect(comment.contains("of max-size 60 MiB"), "\(comment)")
      for job in ["bundle", "install", "upload"] { _ = try run(Self.steps(job, run: 2)) }
      #expect(try run("ls app/published") == "catalog.zip\ndelta.zip\n")
      let same = try run("diff -r -x .data-cache-info app/old app/new && ls app/new")
      #expect(same.contains("com.example.catalog"))
      let verified = try run("preheat verify app/published/delta.zip --quick --public-key catalog.pub.pem")
      #expect(verified.contains("counter 2"))
    }.value
  }

  /// A recording of which the cache answers too little ends the release before anything is signed.
  @Test func aDriftedAppHasNoBundle() async throws {
    try await OwnThread {
      guard Tracing.succeeds(["python3", "-c", "import yaml"]) else { return }
      let server = try PageServer()
      let stage = try PageStage(port: server.port)
      let drifted = "sed -i 's/\"key\":\"/&x/' app/jobs/requests.ndjson"
      let result = try stage.run(
        "HOME_OF_STAGE=$PWD\n\(Self.tools)\n\(Self.repository)\ncd ..\n\(drifted)\n\(Self.steps("bundle", run: 1))"
      )
      #expect(result.status != 0 && !result.output.contains("## Bundle and sign it"), "\(result.output)")
    }.value
  }
}
