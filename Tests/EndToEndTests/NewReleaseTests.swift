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
      14.0.0
      14.0.0-rc.10
      14.0.0-rc.2
      14.0.0-beta.2
      nightly
      """
    let result = try run("nuke", tags).expect(1)
    let lines = result.output.split(separator: "\n")
    let later = ["14.0.0-rc.2", "14.0.0-rc.10", "14.0.0"].map { "\($0): later than 14.0.0-rc.1" }
    let told = ["12.9.3: later than 12.9.0", "12.10.0: a new minor version of 12"] + later
    #expect(lines.count == 6 && lines.prefix(5).elementsEqual(told.map { $0[...] }), "\(result.output)")
    #expect(lines[5].hasPrefix("99.0.0-beta.1: a new major version; the newest known release is "))
  }

  @Test func whatIsKnownIsNotTold() throws {
    for (client, tags) in [
      ("nuke", "10.0.0\n13.2.0\n14.0.0-rc.1"), ("kingfisher", "5.0.0\n8.11.0"), ("sdwebimage", "5.21.5"),
    ] {
      try run(client, tags).expect(0, isSilent: true)
    }
    #expect(try run("mango", "1.0.0").status == 2)
  }
}
