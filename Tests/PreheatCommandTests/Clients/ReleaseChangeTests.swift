import ClientRegistry
import TestSupport
import Testing
import Text

/// What `docs/versions.md` says of releases.
@Suite(.timeLimit(.minutes(10))) struct ReleaseChangeTests {
  static let names = ClientRegistry.libraries.map(\.name)

  /// A release at which the code of a client takes another way stands in its table.
  @Test(arguments: names) func everyReleaseThatTheCodeKnowsIsInTheTable(name: String) throws {
    let library = try #require(ClientRegistry.library(named: name))
    let file = "Sources/Clients/\(library.title)Cache/\(library.title)Version.swift"
    let source = try SourceFiles.text(file)
    let page = try SourceFiles.text("docs/versions.md")
    let told = page.components(separatedBy: "### \(library.title): ").dropFirst().joined()
    let used = source.matches(of: /Version\(([0-9]+), ([0-9]+), ([0-9]+)\)/)
    #expect(!used.isEmpty)
    for match in used {
      let release = Release(Int(match.1) ?? 0, Int(match.2) ?? 0, Int(match.3) ?? 0)
      #expect(
        ["\(release) ", "\(release)`"].contains(where: told.contains),
        "\(library.title) \(release) has no row in docs/versions.md")
    }
  }
}
