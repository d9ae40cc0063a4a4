import Foundation
import TestSupport
import Testing

/// Files of `jobs/` and pages as they stand, where they are installed.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct ShippedFileTests {
  private static let checkout = Fixtures.checkout.path

  /// The two folders of a service, and cron's file that names them; then what is to run.
  private static func script(_ body: String) -> String {
    """
    set -eu
    rm -rf etc var && mkdir -p etc var
    here() { sed -e "s|/etc/cron.d/|$PWD/|g" -e "s|/etc/preheat|$PWD/etc|g" -e "s|/var/lib/preheat|$PWD/var|g"; }
    here < '\(checkout)/jobs/preheat.cron' > preheat
    cp '\(checkout)/jobs/catalog.job' '\(checkout)/jobs/urls.txt' etc/
    line="$(tail -n 1 preheat | cut -d ' ' -f 9-)"
    unset CATALOG_TOKEN
    \(body)
    """
  }

  @Test func cronsFileRunsWithAndWithoutSecrets() throws {
    let server = try PageServer()
    let stage = try PageStage(port: server.port)
    let runs = [
      "echo CATALOG_TOKEN=secret > etc/catalog.env",
      "sed -i /^header/d etc/catalog.job",
    ]
    for preparation in runs {
      let made = try stage.run(
        Self.script("\(preparation)\nexport PREHEAT_FAIL_ON=5%\nsh -c \"$line\"\nls var/catalog | wc -l")
      ).expect(0)
      // Quiet but for the count of the entries.
      #expect(
        Int(made.output.trimmingCharacters(in: .whitespacesAndNewlines)).map { $0 > 9 } == true,
        "\(made.output)")
    }
    try stage.run(Self.script("sh -c \"$line\"")).expect(2, prints: "CATALOG_TOKEN")
  }

  /// The page's last line takes the command out of the installed file, and nothing else.
  @Test func thePagesLineIsTheCommandOfTheFile() throws {
    let server = try PageServer()
    let stage = try PageStage(port: server.port)
    let page = try SourceFiles.text("docs/running.md")
    let tried = try #require(page.firstMatch(of: /\nsudo -u preheat (PREHEAT_FAIL_ON=5% sh -c .+)\n/)?.1)
    let file = try SourceFiles.text("jobs/preheat.cron")
    let set = try #require(file.firstMatch(of: /\n(PREHEAT_FAIL_ON=.+)\n/)?.1)
    #expect(tried.hasPrefix("\(set) sh "))
    let made = try stage.run(
      Self.script(
        """
        echo CATALOG_TOKEN=secret > etc/catalog.env
        cat > tried <<'LINE'
        \(tried)
        LINE
        here < tried > line
        eval "env $(cat line)"
        test -s var/reports/catalog/index.html
        """))
    #expect(made.status == 0 && made.output.isEmpty, "\(made.output)")
  }

  /// What `make install` puts under `share/doc/preheat`.
  @Test func noLinkOfTheInstalledPagesIsBroken() throws {
    let folder = try TemporaryFolder()
    try #require(Tracing.succeeds(["\(Self.checkout)/scripts/install-docs", folder.file("doc").path]))
    let root = folder.file("doc")
    var followed = 0
    for path in try FileManager.default.subpathsOfDirectory(atPath: root.path) where path.hasSuffix(".md") {
      let page = root.appendingPathComponent(path)
      for link in try String(contentsOf: page, encoding: .utf8).matches(of: /\]\(([^)\s#]+)(#[^)\s]*)?\)/) {
        let target = String(link.1)
        guard !target.contains("://") else { continue }
        followed += 1
        let file = page.deletingLastPathComponent().appendingPathComponent(target)
        #expect(FileManager.default.fileExists(atPath: file.path), "\(path) links to \(target)")
      }
    }
    #expect(followed > 200)
    for recorder in ["Nuke", "Kingfisher", "SDWebImage"] {
      let file = root.appendingPathComponent("examples/app/\(recorder)/RequestRecorder.swift")
      #expect(FileManager.default.fileExists(atPath: file.path))
    }
  }
}
