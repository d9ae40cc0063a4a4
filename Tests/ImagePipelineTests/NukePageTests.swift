import TestSupport
import Testing

/// `docs/nuke.md` and `docs/kingfisher.md` say which test shows what.
@Suite(.timeLimit(.minutes(10)))
struct NukePageTests {
  @Test(arguments: ["docs/nuke.md", "docs/kingfisher.md"])
  func everyTestThatThePageNamesExists(path: String) throws {
    let tests = try NamedTests(in: path)
    #expect(tests.names.count > 20)
    #expect(tests.missing.isEmpty)
  }
}
