import Foundation
import TestSupport
import Testing

/// The steps of `jobs/preheat-release.github.yml` as they stand, each job in a checkout of its own: the nights, the first
/// pull request, two releases of an app.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct ReleaseWorkflowTests {
  /// What GitHub's runners have: `gh` with the releases of the app, of which a published one takes no more files, and
  /// Swift with this package's checkout.
  private static let tools = """
    mkdir -p tools releases/v0 kept
    cat > tools/gh <<'GH'
    #!/usr/bin/env bash
    set -eu
    case "$1 $2" in
      "release list") for tag in $(ls -r "$RELEASES"); do test -e "$RELEASES/$tag/.draft" || echo "$tag"; done ;;
      "release view") ls "$RELEASES/$3" ;;
      "release create") mkdir "$RELEASES/$3" && touch "$RELEASES/$3/.draft" ;;
      "release upload") test -e "$RELEASES/$3/.draft" && cp "$4" "$RELEASES/$3/" ;;
      "release edit") rm "$RELEASES/$3/.draft" ;;
      "release download") mkdir -p before && cp "$RELEASES/$3/catalog.zip" before/ ;;
      "pr comment") cp comment.md ../commented.md ;;
    esac
    GH
    printf '#!/bin/sh\\nshift\\nexec "$@"\\n' > tools/swift
    chmod +x tools/*
    """

  /// The app's repository: its first commit has no job.
  private static let repository = """
    mkdir app
    git init -q app
    commit() { git -C app add -A; git -C app -c user.name=a -c user.email=a@example.com commit -qm "$1"; }
    echo App > app/README.md && commit first
    cp -R jobs app/jobs
    cp catalog.pub.pem app/jobs/
    preheat plan --json app/jobs/catalog.job | grep '"rendition"' | grep '"file"' |
      sed -E 's/.*"source":"([^"]*)".*"key":"([^"]*)","file".*/{"v":1,"type":"request","key":"\\2","url":"\\1","found":"none"}/' \\
      > app/jobs/requests.ndjson
    commit job
    """

  /// A job of the workflow on a branch or tag, in the folder `work`.
  private static func steps(_ job: String, run: Int, on reference: String) -> String {
    let checkout = Fixtures.checkout.path
    return """
      rm -rf work && git clone -q app work
      export PATH="$PWD/tools:$PATH" KEPT="$PWD/kept" RELEASES="$PWD/releases" REFERENCE=\(reference)
      export GITHUB_STEP_SUMMARY=/dev/null GITHUB_REF_NAME=\(reference) GITHUB_OUTPUT=/dev/null
      python3 '\(checkout)/Tests/Servers/workflow_steps.py' '\(checkout)/jobs/preheat-release.github.yml' \(job) \
        '\(checkout)' github.run_number=\(run) github.token=t github.repository=a/b github.event.pull_request.number=3 \
        secrets.CATALOG_TOKEN=secret secrets.CATALOG_KEY="$(cat catalog.key.pem)" \
        github.event.pull_request.base.sha="$(git -C app rev-parse HEAD~1)" > \(job).sh
      cd work
      bash ../\(job).sh
      """
  }

  private static func stage(_ body: (_ run: (String) throws -> String) throws -> Void) throws {
    guard Tracing.succeeds(["python3", "-c", "import yaml"]) else { return }
    let server = try PageServer()
    let stage = try PageStage(port: server.port)
    func run(_ script: String) throws -> String {
      let result = try stage.run(script).expect(0)
      return result.output
    }
    _ = try run("\(Self.tools)\n\(Self.repository)")
    try body(run)
  }

  @Test func twoReleasesGoFromThePlanToTheUpload() throws {
    try Self.stage { run in
      // The pull request that adds the job; the base has none.
      _ = try run(Self.steps("plan", run: 1, on: "pull"))
      let first = try run("cat commented.md")
      #expect(first.contains("new, 0 gone, 0 as before"), "\(first)")

      let night = try run(Self.steps("night", run: 2, on: "main"))
      #expect(night.contains(" 0 up to date"), "\(night)")
      let tagged = try run(Self.steps("bundle", run: 3, on: "v1"))
      #expect(tagged.contains(": 2 made, 15 up to date"), "all but the line with reload: \(tagged)")
      for job in ["install", "upload"] { _ = try run(Self.steps(job, run: 3, on: "v1")) }
      #expect(try run("ls -A releases/v1") == "catalog.zip\n")

      // The pull request of the second release has one source more.
      _ = try run(
        "echo 'https://img.example.com/p/8.jpg card' >> app/jobs/catalog.job\n"
          + "git -C app -c user.name=a -c user.email=a@example.com commit -qam more")
      _ = try run(Self.steps("plan", run: 4, on: "pull"))
      let comment = try run("cat commented.md")
      #expect(comment.contains("2 new, 0 gone"), "\(comment)")
      #expect(comment.contains("of max-size 60 MiB"), "\(comment)")
      let second = try run(Self.steps("bundle", run: 5, on: "v2"))
      #expect(second.contains(": 4 made, 15 up to date"), "\(second)")
      _ = try run(Self.steps("install", run: 5, on: "v2"))
      let same = try run("diff -r -x .data-cache-info work/old work/new && ls work/new")
      #expect(same.contains("com.example.catalog"))
      _ = try run(Self.steps("upload", run: 5, on: "v2"))
      #expect(try run("ls -A releases/v2") == "catalog.zip\ndelta.zip\n")
      let verified = try run("preheat verify releases/v2/delta.zip --quick --public-key catalog.pub.pem")
      #expect(verified.contains("counter 5"))
    }
  }

  /// A recording of which the cache answers too little ends the release before anything is signed. A base that cannot be
  /// read stops no pull request, for it may be the one that mends it.
  @Test func aDriftedAppHasNoBundle() throws {
    try Self.stage { run in
      let commit = "git -C app -c user.name=a -c user.email=a@example.com commit -qam"
      _ = try run(
        """
        cp app/jobs/catalog.job right.job
        echo 'policy never' >> app/jobs/catalog.job
        sed -i 's/"key":"/&x/' app/jobs/requests.ndjson
        \(commit) wrong
        cp right.job app/jobs/catalog.job
        \(commit) right
        """)
      _ = try run(Self.steps("plan", run: 1, on: "pull"))
      #expect(try run("cat commented.md").contains("new, 0 gone, 0 as before"))
      let drifted = try run("(\(Self.steps("bundle", run: 1, on: "v1"))) && exit 1 || true")
      #expect(drifted.contains("## Replay") && !drifted.contains("## Bundle and sign it"), "\(drifted)")
    }
  }
}
