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

  /// A made-up repository: one declaration is another, one is gone; moved files, comments and white space do not count.
  @Test func placesThatChangedAreTold() async throws { try await OwnThread { try placesThatChanged() }.value }

  private func placesThatChanged() throws {
    let folder = try TemporaryFolder()
    func git(_ arguments: String...) throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments =
        ["git", "-C", folder.path, "-c", "user.name=n", "-c", "user.email=n@e.com"] + arguments
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0, "\(arguments)")
    }
    func write(_ text: String, to name: String) throws {
      let file = folder.file(name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    func release(_ tag: String) throws {
      try git("add", "-A")
      try git("commit", "-qm", tag)
      try git("tag", tag)
    }
    let names = "static func filename(for key: String) -> String? {\n  key.sha1 // the name\n}\n"
    let local = "extension URL {\n  var isLocalResource: Bool { scheme == \"file\" }\n}\n"
    try git("init", "-q")
    try write(
      names + "private func performSweep() { remove(\"{ \") }\nvar sweepInterval = 1800.0\n",
      to: "S/DataCache.swift")
    try write(local + "extension String { var sha1: String { hash() } }\n", to: "S/Extensions.swift")
    try write("func filename() {}\n", to: "Tests/DataCache.swift")
    try release("13.2.0")
    try git("rm", "-q", "S/DataCache.swift")
    try write(
      names.replacing("// the name", with: "/* as ever */").replacing("key.sha1", with: "key\n    .sha1")
        + "private func performSweep() { remove(\"{\") }\nvar sweepInterval = 1800.0\n",
      to: "S/Caching/DataCache.swift")
    try write("extension String { var sha1: String { hash() } }\n", to: "S/Extensions.swift")
    try write("func filename() { other() }\n", to: "Tests/DataCache.swift")
    try release("13.3.0")
    let wanted = [
      "storage, 13.2.0 and later: Extensions.swift isLocalResource is gone",
      "dates, 13.0.0 and later: DataCache.swift performSweep changed",
    ]
    func told(_ script: String, _ arguments: String...) throws -> (status: Int32, lines: [Substring]) {
      let result = try run(script, ["nuke", folder.path] + arguments)
      return (result.status, result.text.split(separator: "\n").filter { !$0.contains(": not found: ") })
    }
    let compared = try told("changed-places", "13.2.0", "13.3.0")
    #expect(compared.status == 1 && compared.lines == wanted.map { $0[...] }, "\(compared.lines)")
    let listed = try told("new-releases")
    #expect(
      listed.status == 1 && listed.lines == ["13.3.0: a new minor version of 13"] + wanted.map { $0[...] })
    // What this repository has no file of.
    let missing = try run("changed-places", ["nuke", folder.path, "13.2.0", "13.3.0"]).text
    #expect(missing.contains("keys, 12.0.0 and later: not found: ImageRequest.swift ThumbnailOptions\n"))
    #expect(!missing.contains("names, all"))
    #expect(try told("changed-places", "13.2.0", "99.0.0").status == 2)
    #expect(try run("changed-places", ["mango", folder.path, "13.2.0", "13.3.0"]).status == 2)
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
