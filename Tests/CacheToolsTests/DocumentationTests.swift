import Foundation
import TestSupport
import Testing

@testable import Fetching
@testable import JobFile
@testable import Pictures
@testable import Planning

/// The jobs that the pages show are jobs.
@Suite(.timeLimit(.minutes(10)))
struct DocumentationTests {
  @Test(arguments: ["README.md", "docs/job-file.md", "docs/sdwebimage.md"])
  func jobsOnThePagesCanBePlanned(page: String) throws {
    let folder = try TemporaryFolder()
    try Data("https://img.example.com/p/9.jpg\n".utf8).write(to: folder.file("urls.txt"))
    let jobs = try PageBlock.blocks(in: page).filter { $0.language == "job" && $0.text.contains("\nclient ") }
    #expect(!jobs.isEmpty)
    for job in jobs {
      let result = Plan.make(.text(name: folder.file("page.job").path, bytes: Array(job.text.utf8)))
      #expect(!result.diagnostics.hasErrors, "\(result.diagnostics.rendered())")
      #expect((result.plan?.renditionCount ?? 0) > 5)
    }
  }

  @Test func everyTestThatTheThreatModelNamesExists() throws {
    let tests = try NamedTests(in: "docs/maintainers/threat-model.md")
    #expect(tests.names.count > 30)
    #expect(tests.missing.isEmpty)
  }

  @Test func everyCodeOfAFailureIsOnItsPage() throws {
    let page = try String(
      contentsOf: Fixtures.checkout.appendingPathComponent("docs/json.md"), encoding: .utf8)
    let codes = HTTPFailure.Code.allCases.map(\.rawValue) + RenderFailure.Code.allCases.map(\.rawValue)
    for code in codes { #expect(page.contains("`\(code)`"), "\(code)") }
  }

  /// `make test-faults` goes by the page: a test that it does not find would not be run.
  @Test func everyFaultHasATestThatExistsInItsSuite() throws {
    let page = try String(
      contentsOf: Fixtures.checkout.appendingPathComponent("docs/maintainers/reliability.md"), encoding: .utf8
    )
    let rows = page.matches(of: /\| ([0-9]+) \|[^|]+\| `([A-Za-z]+Tests)\.([a-z][A-Za-z0-9]+)` \|/)
    let numbers = Set(rows.compactMap { Int($0.1) })
    #expect(numbers.isSuperset(of: 1...48) && numbers.isSubset(of: 1...68), "\(numbers.sorted())")
    let folder = Fixtures.checkout.appendingPathComponent("Tests")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects ?? []
    var sources: [String] = []
    for case let file as URL in files where file.pathExtension == "swift" {
      sources.append(try String(contentsOf: file, encoding: .utf8))
    }
    for row in rows {
      let (suite, name) = (String(row.2), String(row.3))
      let isThere = sources.contains {
        ["struct \(suite) {", "struct \(suite): "].contains(where: $0.contains)
          && $0.contains("func \(name)(")
      }
      #expect(isThere, "\(suite).\(name)")
    }
  }

  @Test(arguments: [
    "demo.job", "demo-kingfisher.job", "demo-sdwebimage.job", "catalog.job", "kingfisher.job",
  ])
  func theJobsOfTheRepositoryCanBePlanned(name: String) throws {
    let path = Fixtures.checkout.appendingPathComponent("jobs/\(name)").path
    let result = Plan.make(.file(path), GivenSettings(environment: ["CATALOG_TOKEN": "t"]))
    #expect(!result.diagnostics.hasErrors, "\(result.diagnostics.rendered())")
    #expect(result.plan != nil)
  }
}
