import Foundation
import TestSupport
import Testing

/// `scripts/new-releases`: which tags of a client lie beyond what is known, and what is different there.
@Suite(.ownThreads, .timeLimit(.minutes(5))) struct NewReleaseTests {
  private func run(_ client: String, _ tags: String) throws -> BuiltCommand.Result {
    let folder = try TemporaryFolder()
    try folder.write(tags, to: "tags")
    let script = Fixtures.checkout.appendingPathComponent("scripts/new-releases").path
    return try Program.run([script, client, folder.file("tags").path])
  }

  @Test func tagsBeyondTheKnownReleasesAreTold() throws {
    let tags = """
      0123abc\trefs/tags/9.6.0
      0123abc\trefs/tags/12.9.0
      0123abc\trefs/tags/12.9.0^{}
      0123abc\trefs/tags/12.9.3
      0123abc\trefs/tags/12.10.0
      0123abc\trefs/tags/99.0.0-beta.1
      99.0.0
      nightly
      """
    let result = try run("nuke", tags).expect(1)
    let lines = result.output.split(separator: "\n")
    #expect(
      lines.prefix(2) == ["12.9.3: a later patch than 12.9.0", "12.10.0: a new minor version of 12"],
      "\(result.output)")
    #expect(lines.count == 4 && lines[2].hasPrefix("99.0.0-beta.1: a pre-release of a new major version"))
    #expect(lines[3].hasPrefix("99.0.0: a new major version; the newest known release is "))
  }

  @Test func whatIsKnownIsNotTold() throws {
    for (client, tags) in [
      ("nuke", "10.0.0\n13.2.0"), ("kingfisher", "5.0.0\n8.11.0"), ("sdwebimage", "5.21.5"),
    ] {
      try run(client, tags).expect(0, isSilent: true)
    }
    #expect(try run("mango", "1.0.0").status == 2)
  }
}
