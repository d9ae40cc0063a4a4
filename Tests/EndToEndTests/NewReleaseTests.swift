import Foundation
import TestSupport
import Testing

/// `scripts/new-releases`: which tags of a client lie beyond what is known, and what is different there.
@Suite(.timeLimit(.minutes(5))) struct NewReleaseTests {
  private func run(_ arguments: [String], _ tags: String) throws -> (status: Int32, text: String) {
    let folder = try TemporaryFolder()
    try Data(tags.utf8).write(to: folder.file("tags"))
    return try run("new-releases", arguments + [folder.file("tags").path])
  }

  private func run(_ script: String, _ arguments: [String]) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = Fixtures.checkout.appendingPathComponent("scripts/\(script)")
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  @Test func tagsBeyondTheKnownReleasesAreTold() async throws {
    try await OwnThread { try tagsBeyond() }.value
  }

  private func tagsBeyond() throws {
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
    let result = try run(["nuke"], tags)
    #expect(result.status == 1)
    let lines = result.text.split(separator: "\n")
    #expect(
      lines.prefix(2) == ["12.9.3: a later patch than 12.9.0", "12.10.0: a new minor version of 12"],
      "\(result.text)")
    #expect(lines.count == 4 && lines[2].hasPrefix("99.0.0-beta.1: a pre-release of a new major version"))
    #expect(lines[3].hasPrefix("99.0.0: a new major version; the newest known release is "))
  }

  @Test func whatIsKnownIsNotTold() async throws { try await OwnThread { try whatIsKnown() }.value }

  private func whatIsKnown() throws {
    for (client, tags) in [
      ("nuke", "10.0.0\n13.2.0"), ("kingfisher", "5.0.0\n8.11.0"), ("sdwebimage", "5.21.5"),
    ] {
      let result = try run([client], tags)
      #expect(result.status == 0 && result.text.isEmpty, "\(client): \(result.text)")
    }
    #expect(try run(["mango"], "1.0.0").status == 2)
  }
}
