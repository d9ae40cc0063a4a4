import Foundation
import TestSupport
import Testing

/// A folder in which the commands of a page run as they stand: with the jobs of README.md, caches and bundles made of
/// them (`Tests/Servers/page_stage.sh`), and behind a proxy that is every host of the examples.
final class PageStage: Sendable {
  private let folder: TemporaryFolder
  private let variables: [String: String]

  /// - Parameter port: that of a `PageServer`.
  init(port: Int) throws {
    folder = try TemporaryFolder()
    let programs = folder.file("bin")
    try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
    for (name, target) in [("preheat", BuiltCommand.preheat), ("install-bundle", BuiltCommand.installer)] {
      try FileManager.default.createSymbolicLink(
        at: programs.appendingPathComponent(name), withDestinationURL: target)
    }
    // What a page uses and a test machine need not have.
    let stubs = [
      "aws": "#!/bin/sh\nexit 0\n",
      "jq":
        "#!/bin/sh\npython3 -c 'import json,sys; print(json.load(open(sys.argv[2]))[sys.argv[1][1:]])' $2 $3\n",
    ]
    for (name, text) in stubs {
      try folder.writeProgram(text, to: "bin/\(name)")
    }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    variables = [
      "PATH": "\(programs.path):\(path)", "PREHEAT_PROXY": "http://127.0.0.1:\(port)",
      "PREHEAT_INSECURE_HOST": "img.example.com media.intranet", "CATALOG_TOKEN": "secret",
      "PREHEAT_RENDER": BuiltCommand.renderer.path,
    ]
    let work = folder.file("srv")
    try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
    try write(jobsOf: "README.md")
    let script = Fixtures.checkout.appendingPathComponent("Tests/Servers/page_stage.sh").path
    let made = try run("'\(script)' '\(Fixtures.checkout.path)'")
    try #require(made.status == 0, "\(made.output)")
  }

  /// A stage of its own for one page: the whole folder, with dates to the nanosecond.
  private init(copyOf stage: PageStage) throws {
    folder = try TemporaryFolder()
    try #require(Tracing.succeeds(["cp", "-a", stage.folder.path + "/.", folder.path]))
    variables = stage.variables
  }

  func copy(for page: String) throws -> PageStage {
    let copy = try PageStage(copyOf: self)
    try copy.write(jobsOf: page)
    return copy
  }

  /// The jobs of a page that have a name, which its commands use.
  private func write(jobsOf page: String) throws {
    for block in try PageBlock.blocks(in: page) {
      guard let name = block.fileName else { continue }
      try folder.write(block.text, to: "srv/\(name)")
    }
  }

  /// Runs one or more lines as a shell would, with `/srv` for the folder's own path in the output.
  func run(_ script: String) throws -> BuiltCommand.Result {
    var result = try Program.run(
      ["bash", "-euo", "pipefail", "-c", "exec 2>&1\n" + script], in: folder.file("srv"),
      environment: variables)
    result.output = result.output.replacing(folder.file("srv").path, with: "/srv")
    return result
  }
}

/// `Tests/Servers/page_server.py`, until the value is released.
final class PageServer {
  private let process = Process()
  private let input = Pipe()
  let port: Int

  private struct Greeting: Decodable {
    var port: Int
  }

  init() throws {
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", Fixtures.checkout.appendingPathComponent("Tests/Servers/page_server.py").path,
      Scene.images.path,
    ]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    var line = Data()
    while let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty, byte.first != 0x0a {
      line += byte
    }
    port = try JSONDecoder().decode(Greeting.self, from: line).port
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
